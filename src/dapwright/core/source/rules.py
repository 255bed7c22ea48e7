"""What the grammars call things: one row a language.

Only grammars under the MIT or Apache licence are here. Pascal's on PyPI is AGPL, so Pascal is read by its marks alone.
"""

from msgspec import Struct

from dapwright.core.lazy import regex


class Rule(Struct, frozen=True):
    """Where a language's grammar is, and the names of its nodes, separated by blanks."""

    module: str
    functions: str
    classes: str = ""
    blocks: str = "block"
    """Nodes whose children are statements."""
    arms: str = ""
    """Nodes that are no statements by name, yet run by themselves: the arms of a `match`."""
    script: bool = False
    """The file's own lines run, from the top."""
    blind: bool = False
    """Its debugger takes any line, whether or not code runs there: heads, arms and closing words never stop it."""
    entry: str = "language"
    """The grammar's function."""


JS_FUNCTIONS = (
    "function_declaration function_expression arrow_function generator_function generator_function_declaration "
    "method_definition"
)
JS_BLOCKS = "program statement_block switch_case switch_default class_static_block"
TS_CLASSES = "class_declaration class abstract_class_declaration internal_module module"
C_BLOCKS = "compound_statement case_statement preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef"

RULES: dict[str, Rule] = {
    "javascript": Rule("tree_sitter_javascript", JS_FUNCTIONS, "class_declaration class", JS_BLOCKS, script=True),
    "typescript": Rule(
        "tree_sitter_typescript", JS_FUNCTIONS, TS_CLASSES, JS_BLOCKS, script=True, entry="language_typescript"
    ),
    "tsx": Rule("tree_sitter_typescript", JS_FUNCTIONS, TS_CLASSES, JS_BLOCKS, script=True, entry="language_tsx"),
    "go": Rule(
        "tree_sitter_go", "function_declaration method_declaration func_literal", "", "block statement_list",
        arms="expression_case default_case communication_case type_case",
    ),
    "rust": Rule(
        "tree_sitter_rust", "function_item closure_expression", "impl_item trait_item mod_item",
        "block unsafe_block async_block const_block", arms="match_arm",
    ),
    "c": Rule("tree_sitter_c", "function_definition", "", C_BLOCKS),
    "cpp": Rule(
        "tree_sitter_cpp", "function_definition lambda_expression",
        "class_specifier struct_specifier namespace_definition", C_BLOCKS,
    ),
    "java": Rule(
        "tree_sitter_java",
        "method_declaration constructor_declaration compact_constructor_declaration lambda_expression "
        "static_initializer",
        "class_declaration enum_declaration record_declaration interface_declaration",
        "block constructor_body switch_block_statement_group", arms="switch_rule",
    ),
    "kotlin": Rule(
        "tree_sitter_kotlin",
        "function_declaration secondary_constructor anonymous_function lambda_literal anonymous_initializer "
        "getter setter",
        "class_declaration object_declaration companion_object", "block lambda_literal statements",
        arms="when_entry",
    ),
    "scala": Rule(
        "tree_sitter_scala", "function_definition lambda_expression",
        "class_definition object_definition trait_definition enum_definition",
        "block indented_block template_body case_block", arms="case_clause",
    ),
    "ruby": Rule(
        "tree_sitter_ruby", "method singleton_method lambda", "class module singleton_class",
        "program body_statement block_body then else ensure begin do begin_block end_block",
        arms="when in_clause rescue", script=True, blind=True,
    ),
    "php": Rule(
        "tree_sitter_php", "function_definition method_declaration anonymous_function arrow_function",
        "class_declaration trait_declaration interface_declaration enum_declaration namespace_definition",
        "program compound_statement colon_block case_statement default_statement", arms="match_conditional_expression",
        script=True, entry="language_php",
    ),
    "csharp": Rule(
        "tree_sitter_c_sharp",
        "method_declaration constructor_declaration destructor_declaration local_function_statement lambda_expression "
        "anonymous_method_expression accessor_declaration operator_declaration property_declaration",
        "class_declaration struct_declaration record_declaration interface_declaration namespace_declaration "
        "file_scoped_namespace_declaration",
        "block switch_section preproc_if preproc_else", arms="switch_expression_arm", script=True,
    ),
    "bash": Rule(
        "tree_sitter_bash", "function_definition", "",
        "program compound_statement do_group case_item if_statement else_clause elif_clause subshell", script=True,
        blind=True,
    ),
    "lua": Rule(
        "tree_sitter_lua", "function_declaration function_definition", "", "chunk block", script=True, blind=True
    ),
    "perl": Rule(
        "tree_sitter_perl",
        "subroutine_declaration_statement method_declaration_statement anonymous_subroutine_expression",
        "package_statement",
        "source_file block", script=True, blind=True,
    ),
    "swift": Rule(
        "tree_sitter_swift",
        "function_declaration init_declaration deinit_declaration lambda_literal subscript_declaration",
        "class_declaration protocol_declaration", "source_file statements", arms="switch_entry", script=True,
    ),
    "dart": Rule(
        "tree_sitter_dart_orchard",
        "function_declaration method_declaration local_function_declaration lambda_expression function_expression",
        "class_definition mixin_declaration extension_declaration enum_declaration", "block",
        arms="switch_statement_case switch_statement_default switch_expression_case",
    ),
    "fortran": Rule(
        "tree_sitter_fortran", "function subroutine module_procedure program", "module submodule",
        "function subroutine module_procedure program do_loop if_statement else_clause elseif_clause case_statement "
        "block_construct where_statement",
    ),
    "ada": Rule(
        "tree_sitter_ada", "subprogram_body", "package_body",
        "non_empty_declarative_part handled_sequence_of_statements sequence_of_statements",
    ),
    "zig": Rule("tree_sitter_zig", "function_declaration test_declaration", "", "block", arms="switch_case"),
    "haskell": Rule("tree_sitter_haskell", "function bind", "", "do", arms="match alternative"),
}  # fmt: skip

COMMENT = regex(r"comment$|^pod$|^hash_bang_line$|^haddock$")
"""Kinds of nodes that are comments, in any grammar."""
STRING = regex(
    r"^(?!system_lib|concatenated|bare_)(\w+_)?"
    r"(string|string_literal|heredoc_body|heredoc_content|nowdoc_body|string_expression)$"
)
"""Kinds that are literals, which may go over line ends."""
HOLE = regex(r"^(template_substitution|interpolation|interpolated_expression)$")
"""Kinds inside a literal that hold code."""
STATEMENT = regex(r"_statement$|^(if|while|for|unless|case|until|do_loop|for_loop)$")
"""Kinds that are statements wherever they stand: the one after an `if` without braces."""
SILENT = regex(
    r"comment|^pod$|import|package|preproc|^empty_statement$|^using|attribute|annotation|^use_|type_(alias|item|decl|spec)"
    r"|^(namespace|interface|enum|struct|trait|module|mod|extern)_(item|decl|def|spec|statement)|^end_|"
    r"^(subroutine|function|program|contains|implicit)_statement$|^(ERROR|text|php_tag|shebang|marker)$|^heredoc_"
    r"|^(class_body|superclass|parameters?|method_parameters|lambda_parameters|block_parameters|label)$|^end$"
)
"""Kinds that stand where a statement does and run nothing."""
