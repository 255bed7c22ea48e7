"""JavaScript of ours that runs inside the program. It reads own data by descriptors: no getter runs."""

SHOW = """(f => {
  const s = (v, d) => {
    if (typeof v === 'string') return d ? JSON.stringify(v) : v;
    if (typeof v === 'bigint') return v + 'n';
    if (typeof v === 'function') return 'f ' + v.name;
    if (v === null || typeof v !== 'object') return String(v);
    if (d > 2) return Array.isArray(v) ? '[...]' : '{...}';
    const o = Object.getOwnPropertyDescriptors(v);
    const g = k => 'value' in o[k] ? s(o[k].value, d + 1) : '(...)';
    if (v instanceof Error) return v.constructor.name + ('message' in o ? ': ' + o.message.value : '');
    const more = v.length > 20 ? ', ...' : '';
    if (Array.isArray(v)) return '[' + Object.keys(o).filter(k => k !== 'length').slice(0, 20).map(g).join(', ') + more + ']';
    if (v instanceof Map) return 'Map(' + v.size + ')';
    if (v instanceof Set) return 'Set(' + v.size + ')';
    if (v instanceof Date) return v.toJSON();
    const n = Object.getPrototypeOf(v)?.constructor?.name;
    const own = Object.keys(o).slice(0, 20).map(k => k + ': ' + g(k)).join(', ');
    return (n && n !== 'Object' ? n + ' ' : '') + '{' + own + '}';
  };
  try { return s(f(), 0) } catch (e) { return '{' + String(e) + '}' }
})"""
"""Renders one value of a log message; an error stands in braces."""

SLICE = """function (start, count) {
  const r = Object.create(null), n = Math.min(this.length, start + count);
  for (let i = start; i < n; i++) {
    const d = Object.getOwnPropertyDescriptor(this, i);
    if (d) Object.defineProperty(r, '_' + i, d);
  }
  return r;
}"""
"""Some elements of an array, holes left out, under names that keep their order."""

ENTRIES = """function (start, count) {
  const r = [], kind = Object.prototype.toString.call(this) === '[object Map]' ? Map : Set;
  let i = 0;
  for (const e of kind.prototype.entries.call(this)) {
    if (i >= start + count) break;
    if (i++ >= start) r.push(e[0], e[1]);
  }
  return r;
}"""
"""Some entries of a map or set: key, value, key, value, ..."""

NAMED = """function () {
  const r = Object.create(null);
  for (const k of Reflect.ownKeys(this))
    if (typeof k === 'symbol' || !/^(0|[1-9]\\d*)$/.test(k)) Object.defineProperty(r, k, Object.getOwnPropertyDescriptor(this, k));
  return r;
}"""
"""An array's properties that are no elements."""

KIND = """function () {
  const names = [];
  for (let p = this; p; p = Object.getPrototypeOf(p)) {
    for (const key of ['name', 'constructor']) {
      const d = Object.getOwnPropertyDescriptor(p, key);
      if (d && typeof d.value === 'string') names.push(d.value);
      if (d && typeof d.value === 'function') names.push(d.value.name);
    }
  }
  return names;
}"""
"""The names of an error's classes, and its own `name`."""
