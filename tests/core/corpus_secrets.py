# ruff: noqa: E501, SIM905
"""Examples of secrets, and of what only looks like one. All are made here; none was ever real.

Keys are joined of pieces at run time, so that no scanner of repositories takes them for real.
"""

from typing import NamedTuple


class Example(NamedTuple):
    surface: str
    """`value` (a variable by name), `container`, `condition`, `output`, `error`, `source`."""
    text: str
    secret: str = ""
    """What must not be seen; "" where nothing may be masked."""
    name: str = ""
    """The variable's name, for `value`."""


def j(*pieces: str) -> str:
    return "".join(pieces)


A36, H32, H40 = (
    "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "0123456789abcdef" * 2,
    "0123456789abcdef0123456789abcdef01234567",
)
U16 = "ABCDEFGHIJ234567"
SHAPED = [
    *(j(p, "_", A36) for p in ("ghp", "gho", "ghu", "ghs", "ghr")),
    j("github", "_pat_", "11ABCDEFG0", A36, "_", A36),
    j("glpat", "-", A36[:20]),
    j("gldt", "-", A36[:20]),
    j("glrt", "-", A36[:20]),
    j("xoxb", "-", "123456789012-1234567890123-", A36[:24]),
    j("xoxp", "-", "123456789012-1234567890123-", A36[:24]),
    j("xapp", "-1-", "A0123456789-", A36),
    j("sk", "_live_", A36[:24]),
    j("sk", "_test_", A36[:24]),
    j("rk", "_live_", A36[:24]),
    j("whsec", "_", A36),
    j("sk", "-ant-api03-", A36, "-", A36),
    j("sk", "-proj-", A36, "_", A36),
    j("sk", "-svcacct-", A36),
    j("sk", "-", A36, "T3BlbkFJ", A36[:20]),
    j("sk", "-test-", "A1b2C3d4" * 5),
    j("gsk", "_", A36),
    j("hf", "_", A36),
    j("AI", "za", "Sy", A36[:33]),
    j("GOC", "SPX-", A36[:28]),
    j("ya", "29.", A36, A36),
    j("AK", "IA", U16),
    j("AS", "IA", U16),
    j("npm", "_", A36),
    j("py", "pi-", "AgEIcHlwaS5vcmcC", A36, A36),
    j("S", "G.", A36[:22], ".", A36, A36[:7]),
    j("S", "K", H32),
    j("key", "-", H32),
    j("dop", "_v1_", H32, H32),
    j("shp", "at_", H32),
    j("sq0", "atp-", A36[:22]),
    j("dckr", "_pat_", A36[:27]),
    j("hvs", ".", A36, A36),
    j("glsa", "_", A36[:32], "_1a2b3c4d"),
    j("lin", "_api_", A36),
    j("figd", "_", A36),
    j("dap", "i", H32),
    j("pscale", "_tkn_", A36),
    j("sbp", "_", H40),
    j("tskey", "-auth-", A36[:12], "-", A36),
    j("rubygems", "_", H32, H32[:16]),
    j("ATA", "TT3", A36, A36),
    j("ey", "JhbGciOiJIUzI1NiJ9.", "ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.", A36),
    j("ey", "J0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.", "ey", "JpZCI6NDJ9.", A36, A36),
    j(H32, "-us", "12"),
    j("1234567890", ":AA", A36[:33]),
    j("$2", "b$12$", A36, A36[:17]),
    j("$argon", "2id$v=19$m=65536,t=3,p=4$", A36[:22], "$", A36),
    j("abc", "8Q~", A36[:34]),
    j("MT", A36[:24], ".Gabc12.", A36[:30]),
]
"""Secrets that any text shows by themselves."""

AROUND = [
    ("output", "using {}\n"),
    ("output", "{}"),
    ("output", "[2026-01-02 10:00:00] DEBUG sending key={} to host\n"),
    ("container", "{{'user': 'ann', 'extra': '{}', 'n': 3}}"),
    ("container", '["{}", 1, null]'),
    ("error", "RuntimeError: request with {} was refused (401)"),
    ("condition", "x == '{}' and n > 3"),
    ("source", 'client = Client("{}")'),
]
NAMED = (
    "password passwd db_password DB_PASSWORD dbPassword userPassword password2 new_password passphrase secret client_secret"
    " clientSecret SECRET_KEY secretKey api_key apiKey APIKEY X_API_KEY access_token accessToken refresh_token auth_token"
    " SERVICE_TOKEN bearerToken session_token csrf_token private_key privateKey signing_key encryptionKey aws_secret_access_key"
    " accountKey storage_key stripe_key db_pwd DB_PASS smtp_pass credentials otp webhook_secret jwt_secret vault_token"
    " MYSQL_ROOT_PASSWORD password_confirmation masterKey app_secret totp_secret ssh_passphrase"
).split()
PLAIN = "hunter2-not-real"
WRITTEN = [
    ("container", "{{'{n}': '{v}', 'pwd': '/home'}}"),
    ("container", '{{"{n}": "{v}", "retries": 3}}'),
    ("container", '{{\\"{n}\\":\\"{v}\\"}}'),
    ("container", "Config({n}='{v}', n=3)"),
    ("container", 'Config {{ {n}: "{v}", n: 3 }}'),
    ("container", "{{{n}={v}, user=ann}}"),
    ("container", "('{n}', '{v}')"),
    ("container", "[{{'name': '{n}', 'value': '{v}'}}]"),
    ("container", '[:{n} => "{v}", "x" => 1]'),
    ("output", "{n}={v}\n"),
    ("output", "HOME=/root\n{n}={v}\nSHELL=/bin/sh\n"),
    ("output", "{n}: {v}\n"),
    ("output", "export {n}='{v}'\n"),
    ("output", "run --{n} {v} --verbose\n"),
    ("output", "GET /x?a=1&{n}={v}&b=2 HTTP/1.1\n"),
    ("output", "<{n}>{v}</{n}>\n"),
    ("condition", "{n} == '{v}'"),
    ("condition", 'user.{n} != "{v}" and n > 3'),
    ("condition", "'{v}' == {n}"),
    ("condition", 'config["{n}"] == "{v}"'),
    ("condition", '{n}.equals("{v}")'),
    ("error", "ValueError: bad settings: {n}='{v}'"),
    ("error", "AssertionError: assert {{'{n}': '{v}'}} == {{}}"),
    ("source", "{n} = '{v}'"),
    ("source", '{n}: str = "{v}"'),
    ("source", 'const {n} = "{v}";'),
    ("source", 'os.environ["{n}"] = "{v}"'),
]
VALUES = ["'{}'", '"{}"', "{}", "b'{}'", '0x7ffe1234 "{}"', "SecretStr('{}')", "['{}']", 'Some("{}")', "{{'a': '{}'}}"]
KEY = j("-----BEGIN ", "{} KEY-----\n", ("MIIEpAIBAAKCAQEA7bq98JHGfabcdefgh\n") * 4, "c2hvcnQ=\n-----END {} KEY-----\n")
SINGLE = [
    ("output", "Authorization: Bearer abc.def.ghi\n", "abc.def"),
    ("output", "authorization: Basic YW5uOmh1bnRlcjI=\r\nHost: x\r\n", "YW5uOmh"),
    ("output", "Proxy-Authorization: Basic YW5uOmh1bnRlcjI=\n", "YW5uOmh"),
    ("output", "> Cookie: sessionid=s3cr3tpw; theme=dark\n", "s3cr3tpw"),
    ("output", "Set-Cookie: sid=s3cr3tpw; Path=/; HttpOnly\n", "s3cr3tpw"),
    ("output", "X-Api-Key: s3cr3tpw\n", "s3cr3tpw"),
    ("output", "curl -u ann:s3cr3tpw https://example.com\n", "s3cr3tpw"),
    ("output", "curl -H 'Authorization: token s3cr3tpw99' x\n", "s3cr3tpw99"),
    ("output", "postgres://app:s3cr3tpw@db.local:5432/main\n", "s3cr3tpw"),
    ("output", "connecting to redis://:s3cr3tpw@cache:6379/0\n", "s3cr3tpw"),
    ("output", "amqp://ann:s3cr3t@pw@mq/vhost\n", "s3cr3t@pw"),
    ("output", "https://ann:s3cr3tpw@example.com/x?y=1\n", "s3cr3tpw"),
    ("output", "mongodb+srv://u:s3cr3tpw@c0.example.net/?w=majority\n", "s3cr3tpw"),
    ("container", "{'dsn': 'mysql+pymysql://root:s3cr3tpw@127.0.0.1/app'}", "s3cr3tpw"),
    ("output", "Server=db;Database=x;User Id=sa;Password=s3cr3tpw;Encrypt=true\n", "s3cr3tpw"),
    ("output", "Server=db;Uid=sa;Pwd=s3cr3tpw;\n", "s3cr3tpw"),
    (
        "output",
        j("DefaultEndpointsProtocol=https;AccountName=x;Account", "Key=", "abcDEF123+/==", ";Suffix=net\n"),
        "abcDEF123",
    ),
    ("output", j("Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccess", "Key=", "abcDEF123+/=\n"), "abcDEF123"),
    ("output", "https://x.blob.core.windows.net/c?sv=2020&sig=abcDEF123%2Fghi%3D456789&se=2027\n", "abcDEF123"),
    ("output", "https://b.s3.amazonaws.com/k?X-Amz-Signature=0123456789abcdef0123&x=1\n", "0123456789abcdef0123"),
    ("output", j("https://hooks.slack.com/", "services/T00000000/B00000000/", A36[:24], "\n"), A36[:24]),
    ("output", j("https://discord.com/api/", "webhooks/123456789012345678/", A36, A36, "\n"), A36),
    ("error", "auth failed: invalid password 's3cr3tpw' for user ann", "s3cr3tpw"),
    ("error", "OperationalError: could not connect to postgres://app:s3cr3tpw@db/x: timeout", "s3cr3tpw"),
    ("error", "KeyError: \"password='s3cr3tpw'\"", "s3cr3tpw"),
    ("error", "requests.exceptions.HTTPError: 401 for url: https://x.io/a?access_token=s3cr3tpw99&x=1", "s3cr3tpw99"),
    ("error", "Command '['mysql', '--password=s3cr3tpw', 'db']' returned 1", "s3cr3tpw"),
    ("container", "auth=('ann', 's3cr3tpw')", "s3cr3tpw"),
    ("container", '["password"]=>\n  string(8) "s3cr3tpw"', "s3cr3tpw"),
    ("container", "passwords=['s3cr3tpw', 'other']", "s3cr3tpw"),
    ("container", "environ({'PATH': '/bin', 'GITHUB_TOKEN': 's3cr3tpw'})", "s3cr3tpw"),
    ("container", '#<Config:0x0001 @password="s3cr3tpw", @n=1>', "s3cr3tpw"),
    ("container", 'main.Config {User: "ann", Password: "s3cr3tpw"}', "s3cr3tpw"),
    ("container", "Config[user=ann, password=s3cr3tpw]", "s3cr3tpw"),
    ("container", '<add key="DbPassword" value="s3cr3tpw" />', "s3cr3tpw"),
    ("container", "- name: DB_PASSWORD\n  value: s3cr3tpw\n", "s3cr3tpw"),
    ("source", 'url = "postgresql://app:" + "s3cr3tpw" + "@db.internal:5432/main"', "s3cr3tpw"),
    ("source", j('github = "', "ghp", '_" + "', A36, '"'), A36),
    ("output", "api key: s3cr3tpw99\n", "s3cr3tpw99"),
    ("output", "machine example.com login ann password s3cr3tpw\n", "s3cr3tpw"),
    ("output", "DB_PASSWORD=s3;cr(3t,pw\n", "s3;cr(3t,pw"),
    ("output", "Bearer s3cr3tpw99abcdef\n", "s3cr3tpw99"),
    ("output", "Password: S3cret!pass\n", "S3cret!pass"),
    ("output", "the password is hunter22\n", "hunter22"),
    ("output", "| password | hunter22 |\n", "hunter22"),
    ("output", "PGPASSWORD=hunter22 psql -h db\n", "hunter22"),
    ("output", "//registry.npmjs.org/:_authToken=hunter22\n", "hunter22"),
    ("output", "jdbc:mysql://h/d?user=a&password=hunter22\n", "hunter22"),
    ("output", "secret: !!str hunter22\n", "hunter22"),
    ("source", 'builder.setPassword("hunter22")', "hunter22"),
    ("source", 'client.withPassword("hunter22").build()', "hunter22"),
    ("source", 'let password: alloc::string::String = "hunter22"', "hunter22"),
    ("container", "map[password:hunter22 user:ann]", "hunter22"),
    ("container", "&{User:ann Password:hunter22}", "hunter22"),
    ("container", "{'secrets': {'db': 'hunter22'}}", "hunter22"),
    ("output", KEY.format("PRIVATE", "PRIVATE"), "MIIEpAI"),
    ("output", KEY.format("RSA PRIVATE", "RSA PRIVATE"), "c2hvcnQ"),
    ("container", repr(KEY.format("OPENSSH PRIVATE", "OPENSSH PRIVATE")), "MIIEpAI"),
    ("value", "'" + KEY.format("EC PRIVATE", "EC PRIVATE").replace("\n", "\\n")[:90], "MIIEpAI"),
    ("value", j("'ghp", "_", A36[:9], "..."), A36[:9]),
    ("value", j('"github', "_pat_", A36[:12], "…"), A36[:12]),
    ("value", j("'AK", "IA", U16[:9], "'..."), U16[:9]),
    ("value", j("'ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdW..."), "JhbGciOiJIUzI1NiJ9"),
    ("value", "'postgres://app:s3cr3t...", "s3cr3t"),
]


def true_examples() -> list[Example]:
    """Return texts with a secret each."""
    found = [Example(s, t.format(key), key) for key in SHAPED for s, t in AROUND]
    found += [Example("value", f"'{key}'", key, "x") for key in SHAPED]
    found += [
        Example(s, t.format(n=n, v=PLAIN), PLAIN) for n in NAMED for s, t in WRITTEN if "<" not in t or n.isalnum()
    ]
    found += [Example("value", t.format(PLAIN), PLAIN, n) for n in NAMED for t in VALUES]
    found += [Example(s, t, secret, "x" if s == "value" else "") for s, t, secret in SINGLE]
    for expression in (
        "user.password",
        "os.environ['API_TOKEN']",
        "password.upper()",
        "str(secret)",
        "config['apiKey']",
    ):
        found.append(Example("value", f"'{PLAIN}'", PLAIN, expression))
    return found


ODD_VALUES = [
    "hunter22 with spaces",
    'u8"hunter22"',
    "char[9] 'hunter22'",
    'alloc::string::String {vec: "hunter22"}',
    'Optional["hunter22"]',
    "'hunter22' (length 8)",
    "<User(password='hunter22')>",
]

HARMLESS = {
    "pwd": "'/home/ann/project'", "OLDPWD": "'/tmp'", "cwd": "'/srv'", "tokenCount": "3", "token_count": "1234",
    "max_tokens": "4096", "maxTokens": "100000", "author": "'Ann Author'", "authority": "'example.com:443'",
    "password_length": "12", "secretary": "'Bob Smith'", "token_type": "'bearer'", "has_password": "True",
    "is_secret": "False", "password_field": "'#login-password'", "password_min_length": "8", "passed": "17",
    "passenger": "'Ann Smith'", "compass": "'north-east'", "bypass": "'enabled-now'", "tokens": "['the', 'cat', 'sat']",
    "tokenizer": "<Tokenizer object at 0x7f00aa>", "tokenize": "<function tokenize at 0x7f00aa>", "next_token": "'eyes'",
    "key": "'user:42'", "primary_key": "'id'", "foreign_key": "'user_id'", "sort_key": "'created_at'",
    "cache_key": "'user:42:orders:2026'", "partition_key": "'2026-01-01#abc'", "public_key": "'ssh-rsa AAAAB3Nza'",
    "keyboard": "'qwerty-de'", "monkey": "'george-1'", "keys": "['a', 'b']", "hockey": "'ice'", "authored_by": "'ann'",
    "oauth_scopes": "['read', 'write']", "author_id": "'a-123456789012'", "session_id": "'s-3f2a99bc12'", "uuid":
    "'123e4567-e89b-12d3-a456-426614174000'", "commit": "'" + H40 + "'", "md5": "'" + H32 + "'", "etag": "'" + H32 + "'",
    "sha256": "'" + H32 + H32 + "'", "checksum": "'sha256:" + H32 + "'", "request_id": "'req-01H8XGJWBWBAQ4'",
    "trace_id": "'" + H32 + "'", "password": "None", "secret": "''", "api_key": "null", "access_token": "undefined",
    "credentials": "<Credentials object at 0x7f001122>", "get_password": "<function get_password at 0x7f00aa>",
    "passwordHasher": "<class 'app.Hasher'>", "token": "'if'", "Password": "Password@1a2b3c4d", "auth": "<Auth at 0x7f00>",
    "password_url": "'https://example.com/reset'", "secret_name": "'prod/db'", "secret_arn": "'arn:aws:x:1:secret:db'",
    "key_id": "'k-1234567890'", "token_expires_at": "'2026-01-02T10:00:00Z'", "token_url": "'https://x.io/token'",
    "password_reset_required": "True", "n_tokens": "512", "prompt_tokens": "20", "eos_token": "'</s>'",
    "pad_token": "'<pad>'", "current_token": "'identifier1'", "secrets": "{}", "passwords": "[]", "cookie_policy": "'lax1'",
    "pinned": "'v1.2.3'", "spinner": "'dots12'", "opinion": "'good one 1'", "pattern": "'[a-z]+\\\\d{3}'", "path": "'/a/b1'",
    "compat": "'py311'", "pass_rate": "0.98", "password_policy": "'min8-mixed'", "keyword": "'select1'", "codec": "'utf8'",
    "status_code": "'E1234567'", "zip_code": "'12345678'", "postcode": "'SW1A1AA'", "credential_id": "'c-1234567890'",
    "credits": "'ann1, bob2'", "accreditation": "'iso9001'", "authenticated": "True", "hotpatch": "'p1234567'",
}  # fmt: skip
PROSE = """
commit {h40} merged by ann
build 1.2.3+{h32} ready
GET /users/123e4567-e89b-12d3-a456-426614174000 200 12ms
password must be at least 8 characters
Enter password:
    --- PASS: TestMean/two_numbers_1 (0.02s)
the token is invalid
token expired, please log in
SyntaxError: Unexpected token '}}'
SyntaxError: Unexpected token 'foo'
KeyError: 'password'
AttributeError: 'User' object has no attribute 'password'
TypeError: login() missing 1 required positional argument: 'password'
TypeError: get_token() takes 2 arguments
AssertionError: assert 3 == 4
field 'password' is required
{{"password": "This field is required."}}
{{'password': ['Must be at least 8 characters']}}
fields: ['username', 'password', 'email']
('username', 'password', 'token')
SELECT id, password FROM users WHERE id = 3
password = os.getenv("DB_PASSWORD")
password = getpass.getpass()
token = get_token(user)
token = tokens[0]
token = next(tokens)
secret = self.secret
api_key = settings.API_KEY
api_key=api_key, timeout=3
connect(password=password, user=user)
def login(user: str, password: str) -> bool:
def check(password, token=None):
password: str
password: string;
String password;
private String password;
if not password: raise ValueError
if password is None
if (token == null) return;
return token.type == TokenType.NAME
import secrets, tokenize
from auth import token
class PasswordField(Field):
for token in tokens:
for key, value in items:
key = (1, 2)
{{'key': 'value', 'keys': ['a', 'b']}}
Token(type='NAME', string='x', start=(1, 0))
<Token: NAME 'if' at 3:4>
sorted(rows, key=lambda r: r.id)
key=lambda x: x[1]
key: user:42 hit
PASSWORD=${{DB_PASSWORD}}
password={{password}}
password=%s
password: <your password>
password: ********
token=***
api_key=[REDACTED]
Authorization: <hidden>
Authorization: Bearer ${{TOKEN}}
postgres://user:${{PW}}@host/db
postgres://db.local:5432/main
http://localhost:8080/users/@me
http://127.0.0.1:3000/a@b
https://example.com/a:b@c
ssh://git@github.com:22/x/y.git
git@github.com:ann/repo.git
mailto:ann@example.com
ann@example.com: 3 mails
user:group@host
redis://cache:6379/0
Bearer authentication is not enabled
Bearer token is missing from the request
token_type: bearer
{{"token_type": "bearer", "expires_in": 3600}}
PWD=/home/ann/project
OLDPWD=/tmp/x
SHELL=/bin/bash
SSH_AUTH_SOCK=/tmp/ssh-abc/agent.1
XAUTHORITY=/home/ann/.Xauthority
KEYBOARD=de
tokens: 1234 in, 567 out
total_tokens=1801 max_tokens=4096
passed: 17, failed: 2
17 passed, 2 failed in 3.21s
pass 12 of 100
first pass: 12 ms
password strength: 3/5
password hash algorithm: bcrypt
password length 12
secret santa is ann
the secret to speed is caching
a key point: read first
keys: a, b, c
key 'name' not found
no such key: 'orders'
primary key: id
author: Ann Author
authors: ann, bob
authorized: true
authentication: basic
auth: none
auth=False
cookie: none
cookies enabled: yes
cookie jar is empty
pinned to v1.2.3
/home/ann/.ssh/id_rsa
/run/secrets/db_password
C:\\Users\\ann\\passwords.txt
file password_reset.py, line 12
at com.x.PasswordEncoder.encode(PasswordEncoder.java:42)
File "auth/token.py", line 31, in refresh_token
  0x00007ffff7a2d830 in token_free () from libx.so
sk-loading-spinner-container
task-runner-component-name
ghp_token_name
npm_config_registry
npm_lifecycle_event=test
hf_transfer enabled
pypi-publish workflow
SGD optimizer, lr=0.1
AKIA is the prefix of keys
eyJ is how a JWT begins
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
expected -----BEGIN PRIVATE KEY----- header
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB
sha256:{h32}{h32}
integrity sha512-{a36}{a36}==
layer {h32} pulled
image: registry.io/x@sha256:{h32}{h32}
id={h32}
session=s-{h32}
sessionId: s-3f2a
user_id=123456789012
order 4111-2222 shipped
phone +49 30 1234567
2026-01-02T10:00:00.123Z INFO started
v1.2.3-rc.1+build.5
[INFO] key=user:42 value=7
cache_key=orders:{h32}
counter{{key="a"}} 3
metrics: token_bucket=12 refill=3
rate limit: 60 tokens per minute
parser: expected token ')' but got ']'
lexer state: token_start=12 token_end=15
std::map<std::string, Token> tokens
let token: &Token = &tokens[i];
fn password(&self) -> &str
func (c *Config) Password() string
const token = await getToken();
export const TOKEN_KINDS = ['a', 'b'];
switch (token.kind) {{
public static final String PASSWORD = "password";
label: "Password", type: "password"
<input type="password" name="password">
<label for="password">Password</label>
placeholder="Password"
mode: passive, key: 3
secretKeyRef: true
password: true
secret: 42
token: 7
pin: 1234
otp: off
passphrase: none
credentials: []
credential: null
api_key: ~/.config/x/key
| password | string | required |
get_password("db")
the password is too short
the password is 8 characters long
getToken("user")
prompt.password("Enter your password")
""".strip()


def false_examples() -> list[Example]:
    """Return texts in which nothing may be masked."""
    found = [Example("value", raw, name=name) for name, raw in HARMLESS.items()]
    found += [Example("container", f"{{'{name}': {raw}, 'n': 1}}") for name, raw in HARMLESS.items()]
    found += [Example("output", line + "\n") for line in PROSE.format(h32=H32, h40=H40, a36=A36).splitlines()]
    return found
