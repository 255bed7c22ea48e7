import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles snippets as they come, so that a debugger pays for the compiler's start once.
 *
 * A request is four blocks (an int's length, then UTF-8): class name, class path, release, source.
 * An answer is an int: how many classes follow (name and bytes, each a block), or -1 and the errors.
 */
public class CompileServer {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        while (true) {
            String name;
            try {
                name = text(in);
            } catch (EOFException gone) {
                return;
            }
            answer(out, name, text(in), text(in), text(in));
            out.flush();
        }
    }

    private static void answer(DataOutputStream out, String name, String path, String release, String source)
            throws IOException {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        Memory memory = new Memory(COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8), path);
        List<String> options = new ArrayList<>(Arrays.asList("-nowarn", "-proc:none", "-g:none"));
        if (!release.isEmpty()) {
            options.addAll(Arrays.asList("--release", release));
        }
        boolean fine;
        try {
            fine = COMPILER.getTask(null, memory, said, options, null, List.of(new Snippet(name, source))).call();
        } catch (RuntimeException broken) {
            fail(out, broken.toString());
            return;
        } finally {
            memory.close();
        }
        if (!fine) {
            fail(out, errors(said));
            return;
        }
        out.writeInt(memory.made.size());
        for (Map.Entry<String, ByteArrayOutputStream> one : memory.made.entrySet()) {
            block(out, one.getKey().getBytes(StandardCharsets.UTF_8));
            block(out, one.getValue().toByteArray());
        }
    }

    private static String errors(DiagnosticCollector<JavaFileObject> said) {
        StringBuilder text = new StringBuilder();
        for (Diagnostic<?> one : said.getDiagnostics()) {
            if (one.getKind() == Diagnostic.Kind.ERROR) {
                text.append(one.getMessage(Locale.ENGLISH)).append('\n');
            }
        }
        return text.toString();
    }

    private static void fail(DataOutputStream out, String words) throws IOException {
        out.writeInt(-1);
        block(out, words.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(DataInputStream in) throws IOException {
        byte[] data = new byte[in.readInt()];
        in.readFully(data);
        return new String(data, StandardCharsets.UTF_8);
    }

    private static void block(DataOutputStream out, byte[] data) throws IOException {
        out.writeInt(data.length);
        out.write(data);
    }

    private static final class Snippet extends SimpleJavaFileObject {
        private final String source;

        Snippet(String name, String source) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignored) {
            return source;
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        final Map<String, ByteArrayOutputStream> made = new LinkedHashMap<>();

        Memory(StandardJavaFileManager files, String path) throws IOException {
            super(files);
            List<File> places = new ArrayList<>();
            for (String one : path.split(File.pathSeparator)) {
                if (!one.isEmpty()) {
                    places.add(new File(one));
                }
            }
            files.setLocation(StandardLocation.CLASS_PATH, places);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location where, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            made.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("mem:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }
    }
}
