-- A debug adapter inside a Lua program: lua lua_agent.lua PORT FOLDER PROGRAM [ARGUMENT...]
--
-- Listens on PORT of the loopback, speaks the Debug Adapter Protocol with the one client that
-- comes, and runs PROGRAM under a line hook. Needs LuaSocket; Lua 5.1 to 5.4, and LuaJIT.
local socket = require("socket")
local port, folder, program, agent = tonumber(arg[1]), arg[2], arg[3], "@" .. arg[0]
local real_exit, resume_hook = os.exit, nil
if jit then jit.off() end

-- JSON: as much of it as the protocol needs.

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }
local array_mark = {}
local function array(list) return setmetatable(list, array_mark) end

local function encode(value)
  local kind = type(value)
  if kind == "string" then
    return '"' .. value:gsub('[%c"\\]', function(c) return escapes[c] or string.format("\\u%04x", c:byte()) end) .. '"'
  elseif kind == "table" then
    local parts = {}
    if getmetatable(value) == array_mark then
      for index, item in ipairs(value) do parts[index] = encode(item) end
      return "[" .. table.concat(parts, ",") .. "]"
    end
    for key, item in pairs(value) do parts[#parts + 1] = encode(key) .. ":" .. encode(item) end
    return "{" .. table.concat(parts, ",") .. "}"
  elseif kind == "number" then
    return value % 1 == 0 and string.format("%d", value) or tostring(value)
  end
  return kind == "boolean" and tostring(value) or "null"
end

local function utf8_of(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xC0 + math.floor(code / 0x40), 0x80 + code % 0x40) end
  return string.char(0xE0 + math.floor(code / 0x1000), 0x80 + math.floor(code / 0x40) % 0x40, 0x80 + code % 0x40)
end

local plain = { n = "\n", r = "\r", t = "\t", b = "\b", f = "\f" }
local decode
local function decode_string(text, at)
  local parts = {}
  while true do
    local stop = text:find('["\\]', at)
    parts[#parts + 1] = text:sub(at, stop - 1)
    if text:sub(stop, stop) == '"' then return table.concat(parts), stop + 1 end
    local mark = text:sub(stop + 1, stop + 1)
    if mark == "u" then
      parts[#parts + 1] = utf8_of(tonumber(text:sub(stop + 2, stop + 5), 16))
      at = stop + 6
    else
      parts[#parts + 1] = plain[mark] or mark
      at = stop + 2
    end
  end
end

function decode(text, at)
  at = text:find("%S", at or 1)
  local first = text:sub(at, at)
  if first == '"' then return decode_string(text, at + 1) end
  if first == "{" or first == "[" then
    local found = {}
    at = text:find("%S", at + 1)
    while not text:find("^[%]}]", at) do
      local key, value
      if first == "{" then
        key, at = decode(text, at)
        at = text:find(":", at, true) + 1
      end
      value, at = decode(text, at)
      found[key or #found + 1] = value
      at = text:find("%S", at)
      if text:sub(at, at) == "," then at = text:find("%S", at + 1) end
    end
    return found, at + 1
  end
  local word = text:match("^[%w%.%+%-]+", at)
  if word == "true" then return true, at + 4 end
  if word == "false" then return false, at + 5 end
  if word == "null" then return nil, at + 4 end
  return tonumber(word), at + #word
end

-- The connection.

local listener = assert(socket.bind("127.0.0.1", port, 1))
local client = assert(listener:accept())
listener:close()
client:setoption("tcp-nodelay", true)
local sequence = 0

local function send(message)
  sequence = sequence + 1
  message.seq = sequence
  local body = encode(message)
  client:send("Content-Length: " .. #body .. "\r\n\r\n" .. body)
end

local function event(name, body) send({ type = "event", event = name, body = body or {} }) end

local function receive()
  local length
  while true do
    local line = client:receive("*l")
    if not line then real_exit(1) end -- nobody debugs any more: the program was started for it
    if line == "" or line == "\r" then break end
    length = tonumber(line:match("^Content%-Length:%s*(%d+)")) or length
  end
  return (decode((client:receive(length))))
end

-- What stands, and how the program goes on.

local breakpoints, mode, start_depth, start_thread = {}, "run", 0, nil
local hook, handler
local references, standing_reason, uncaught, exception_text = {}, nil, true, nil

local function path_of(source)
  if source:sub(1, 1) ~= "@" then return nil end
  local path = source:sub(2)
  if path:sub(1, 1) == "/" then return path end
  return folder .. "/" .. path:gsub("^%./", "")
end

-- The level, as the caller counts, of the innermost frame of the program.
local function base()
  local level = 1
  while true do
    local info = debug.getinfo(level, "f")
    if not info then return nil end
    if info.func == hook or info.func == handler then return level end
    level = level + 1
  end
end

local function depth()
  local count, level = 0, base()
  while level and debug.getinfo(level + count, "l") do count = count + 1 end
  return count
end

-- The frames: {level from the base, info}; those of C are left out.
local function frames()
  local found, count = {}, 0
  local first = base()
  while true do
    local info = debug.getinfo(first + count, "nSlf")
    if not info or info.source == agent then break end
    if info.currentline > 0 and path_of(info.source) then found[#found + 1] = { offset = count, info = info } end
    count = count + 1
  end
  return found
end

local function quote(text) return '"' .. text:gsub('[%c"\\]', function(c) return escapes[c] or string.format("\\%d", c:byte()) end) .. '"' end

local function order(a, b)
  if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
  return type(a) < type(b)
end

local function keys_of(value)
  local keys = {}
  for key in next, value do keys[#keys + 1] = key end
  table.sort(keys, order)
  return keys
end

local function show(value, inner)
  if type(value) == "string" then return quote(value) end
  if type(value) ~= "table" then return tostring(value) end
  if inner then return "{...}" end
  local parts, position = {}, 1
  for index, key in ipairs(keys_of(value)) do
    if index > 8 then parts[#parts + 1] = "..." break end
    local item = show(rawget(value, key), true)
    if key == position then
      parts[#parts + 1], position = item, position + 1
    else
      parts[#parts + 1] = (type(key) == "string" and key or "[" .. show(key, true) .. "]") .. " = " .. item
    end
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function reference(kind, value)
  references[#references + 1] = { kind = kind, value = value }
  return #references
end

local function variable(name, value, expression)
  local children = type(value) == "table" and next(value) ~= nil and reference("table", value) or 0
  local answer = { name = name, value = show(value), type = type(value), variablesReference = children }
  answer.evaluateName = expression
  return answer
end

-- Locals of the frame at `offset`, in order; a later one hides an earlier one of its name.
local function locals_of(offset)
  local level, found, at, index = base() + offset, {}, {}, 1
  while true do
    local name, value = debug.getlocal(level, index)
    if not name then return found end
    if name:sub(1, 1) ~= "(" then
      at[name] = at[name] or #found + 1
      found[at[name]] = { name = name, value = value, index = index }
    end
    index = index + 1
  end
end

local function upvalues_of(func)
  local found, index = {}, 1
  while true do
    local name, value = debug.getupvalue(func, index)
    if not name then return found end
    if name ~= "" and name ~= "_ENV" then found[#found + 1] = { name = name, value = value, index = index } end
    index = index + 1
  end
end

local function compile(code, env)
  if setfenv then
    local made, problem = loadstring(code, "=expression")
    return made and setfenv(made, env), problem
  end
  return load(code, "=expression", "t", env)
end

local function by_name(list)
  local found = {}
  for _, item in ipairs(list) do found[item.name] = item end
  return found
end

-- Evaluate in a frame: names are its locals, its upvalues, then globals; assignments reach them too.
local function evaluate(code, frame)
  local globals = _G
  local here, up = {}, {}
  if frame then here, up = by_name(locals_of(frame.offset)), by_name(upvalues_of(frame.info.func)) end
  local env = setmetatable({}, {
    __index = function(_, name)
      if here[name] then return here[name].value end
      if up[name] then return up[name].value end
      return globals[name]
    end,
    __newindex = function(_, name, value)
      if here[name] then
        here[name].value, here[name].changed = value, true
      elseif up[name] then
        debug.setupvalue(frame.info.func, up[name].index, value)
      else
        globals[name] = value
      end
    end,
  })
  local made, problem = compile("return " .. code, env)
  if not made then made, problem = compile(code, env) end
  if not made then return false, problem end
  local ok, value = pcall(made)
  for _, item in pairs(here) do
    if item.changed then debug.setlocal(base() + frame.offset, item.index, item.value) end
  end
  return ok, value
end

-- Requests.

local requests, answered = {}, nil

local function frame_of(number)
  local held = references[number]
  return held and held.kind == "frame" and held.value or frames()[1]
end

function requests.initialize()
  return {
    supportsConfigurationDoneRequest = true, supportsSetVariable = true, supportsSetExpression = true, supportsEvaluateForHovers = true,
    supportsExceptionInfoRequest = true, supportsTerminateRequest = true,
    exceptionBreakpointFilters = array({ { filter = "uncaught", label = "Uncaught errors", default = true } }),
  }
end

function requests.launch(ask)
  if ask.stopOnEntry then mode = "entry" end
  answered = function() event("initialized") end
  return {}
end

function requests.setBreakpoints(ask)
  local lines, told = {}, {}
  for index, wanted in ipairs(ask.breakpoints or {}) do
    lines[wanted.line] = true
    told[index] = { verified = true, line = wanted.line }
  end
  breakpoints[ask.source.path] = next(lines) and lines or nil
  return { breakpoints = array(told) }
end

function requests.setExceptionBreakpoints(ask)
  uncaught = false
  for _, name in ipairs(ask.filters or {}) do uncaught = uncaught or name == "uncaught" end
  return {}
end

function requests.threads() return { threads = array({ { id = 1, name = "main" } }) } end

function requests.stackTrace(ask)
  local told, all = {}, frames()
  local first = (ask.startFrame or 0) + 1
  local last = (ask.levels or 0) > 0 and math.min(#all, first + ask.levels - 1) or #all
  for index = first, last do
    local info, path = all[index].info, path_of(all[index].info.source)
    local name = info.what == "main" and "main chunk" or info.name or ("function <" .. info.short_src .. ":" .. info.linedefined .. ">")
    told[#told + 1] = {
      id = reference("frame", all[index]), name = name, line = info.currentline, column = 0,
      source = { path = path, name = path:match("[^/]+$") },
    }
  end
  return { stackFrames = array(told), totalFrames = #all }
end

function requests.scopes(ask)
  local frame = frame_of(ask.frameId)
  return {
    scopes = array({
      { name = "Locals", presentationHint = "locals", expensive = false, variablesReference = reference("locals", frame) },
      { name = "Upvalues", expensive = false, variablesReference = reference("upvalues", frame) },
      { name = "Globals", expensive = true, variablesReference = reference("table", _G) },
    }),
  }
end

local function children_of(held)
  local told = {}
  if held.kind == "table" then
    for _, key in ipairs(keys_of(held.value)) do
      told[#told + 1] = variable(type(key) == "string" and key or "[" .. show(key, true) .. "]", rawget(held.value, key))
    end
  else
    local list = held.kind == "locals" and locals_of(held.value.offset) or upvalues_of(held.value.info.func)
    for _, item in ipairs(list) do told[#told + 1] = variable(item.name, item.value, item.name) end
  end
  return told
end

function requests.variables(ask)
  local told, first = children_of(references[ask.variablesReference]), ask.start or 0
  local last = (ask.count or 0) > 0 and math.min(#told, first + ask.count) or #told
  local page = {}
  for index = first + 1, last do page[#page + 1] = told[index] end
  return { variables = array(page) }
end

function requests.evaluate(ask)
  local ok, value = evaluate(ask.expression, frame_of(ask.frameId))
  if not ok then return nil, tostring(value) end
  local told = variable("", value)
  return { result = told.value, type = told.type, variablesReference = told.variablesReference }
end

function requests.setVariable(ask)
  local held = references[ask.variablesReference]
  local ok, value = evaluate(ask.value, held.kind ~= "table" and held.value or frames()[1])
  if not ok then return nil, tostring(value) end
  if held.kind == "table" then
    local key = ask.name:match("^%[(.*)%]$")
    held.value[key and select(2, evaluate(key)) or ask.name] = value
  else
    local items = by_name(held.kind == "locals" and locals_of(held.value.offset) or upvalues_of(held.value.info.func))
    local item = items[ask.name]
    if not item then return nil, "there is no `" .. ask.name .. "` here" end
    if held.kind == "locals" then
      debug.setlocal(base() + held.value.offset, item.index, value)
    else
      debug.setupvalue(held.value.info.func, item.index, value)
    end
  end
  return variable(ask.name, value)
end

function requests.setExpression(ask)
  local frame = frame_of(ask.frameId)
  local ok, problem = evaluate(ask.expression .. " = " .. ask.value, frame)
  if not ok then return nil, tostring(problem) end
  local _, value = evaluate(ask.expression, frame_of(ask.frameId))
  return variable(ask.expression, value)
end

function requests.exceptionInfo()
  return { exceptionId = "error", description = exception_text or "", breakMode = "unhandled" }
end

local function going(next_mode)
  return function()
    mode, start_depth, start_thread = next_mode, depth(), coroutine.running()
    resume_hook = true
    return { allThreadsContinued = true }
  end
end

requests["continue"], requests.next = going("run"), going("over")
requests.stepIn, requests.stepOut = going("into"), going("out")
function requests.pause() mode = "pause" return {} end
function requests.configurationDone() resume_hook = true return {} end
function requests.terminate() answered = function() real_exit(143) end return {} end
requests.disconnect = requests.terminate

local looking = { stackTrace = true, scopes = true, variables = true, evaluate = true, setVariable = true, setExpression = true, exceptionInfo = true }

local function serve(message)
  local answer = { type = "response", request_seq = message.seq, command = message.command, success = false }
  local verb = requests[message.command]
  answered = nil
  if not verb then
    answer.message = "this agent does not know the request `" .. message.command .. "`"
  elseif looking[message.command] and not standing_reason then
    answer.message = "the program is running"
  else
    local ok, body, refusal = pcall(verb, message.arguments or {})
    answer.success = ok and body ~= nil
    answer.body = answer.success and body or nil
    answer.message = not answer.success and tostring(ok and refusal or body) or nil
  end
  send(answer)
  if answered then answered() end
end

local function stand(reason, text)
  standing_reason, references = reason, {}
  io.stdout:flush()
  event("stopped", { reason = reason, threadId = 1, allThreadsStopped = true, text = text, description = text })
  resume_hook = false
  while not resume_hook do serve(receive()) end
  standing_reason = nil
end

-- A request is looked for every 20 ms: at each line of a program that waits, at fewer of a busy one.
local AFTER, MOST = 0.02, 16
local left, stride, looked = 1, 1, socket.gettime()
local function look()
  local now = socket.gettime()
  local late = now - looked >= AFTER or now < looked
  stride = late and 1 or math.min(stride * 2, MOST)
  left = stride
  if not late then return end
  looked = now
  if standing_reason == nil and #socket.select({ client }, nil, 0) > 0 then serve(receive()) end
end

function hook(_, line)
  left = left - 1
  if left == 0 then look() end
  local reason
  if mode == "into" then
    reason = "step"
  elseif mode == "pause" or mode == "entry" then
    reason = mode
  elseif (mode == "over" or mode == "out") and coroutine.running() == start_thread then
    local now = depth()
    if now < start_depth or (mode == "over" and now == start_depth) then reason = "step" end
  end
  local source = debug.getinfo(2, "S").source
  if reason and (source == agent or not path_of(source)) then reason = nil end
  if not reason and next(breakpoints) then
    local path = path_of(source)
    local here = path and breakpoints[path]
    if here and here[line] then reason = "breakpoint" end
  end
  if reason then stand(reason) end
end

function handler(problem)
  debug.sethook()
  exception_text = tostring(problem)
  if uncaught then stand("exception", exception_text) end
  return debug.traceback(exception_text, 2)
end

-- A coroutine has a hook of its own.
local create = coroutine.create
function coroutine.create(body)
  local made = create(body)
  debug.sethook(made, hook, "l")
  return made
end
function coroutine.wrap(body)
  local made = coroutine.create(body)
  return function(...)
    local results = { coroutine.resume(made, ...) }
    if not results[1] then error(results[2], 0) end
    return (table.unpack or unpack)(results, 2)
  end
end

io.stdout:setvbuf("line")
while not resume_hook do serve(receive()) end
local given = { [0] = program }
for index = 4, #arg do given[index - 3] = arg[index] end
local main, problem = loadfile(program)
if not main then
  io.stderr:write("lua: ", problem, "\n")
  real_exit(1)
end
arg = given
local function begin() return main((table.unpack or unpack)(given)) end
debug.sethook(hook, "l")
local ok, trace = xpcall(begin, handler)
debug.sethook()
if not ok then
  io.stderr:write("lua: ", trace, "\n")
  real_exit(1)
end
real_exit(0)
