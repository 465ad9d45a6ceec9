// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are scripts.
import type { ScriptErrorType } from '../../../src/scripting/sandbox/types.ts'

/** Statements of a script that means harm, and how it may end: with a value, or an error of one of these types. */
export interface Attack {
  name: string
  statements: string
  ends: readonly ('success' | ScriptErrorType)[]
}

/** Attacks by name; all of a table end in one of the same ways. */
function attacks(ends: Attack['ends'], table: Record<string, string>): Attack[] {
  return Object.entries(table).map(([name, statements]) => ({ name, statements, ends }))
}

/** They never end, and the engine can be interrupted in each. */
export const loops = attacks(['timeout'], {
  'a loop': 'while (true) {}',
  'awaits without end': 'for (;;) await 0',
  'promises that make promises':
    'const go = () => { Promise.resolve().then(go); Promise.resolve().then(go) }; go(); await new Promise(() => {})',
  'a loop in a getter of an error': 'throw { get message() { for (;;) {} } }',
  'a loop in toJSON': 'return { toJSON() { for (;;) {} } }',
  'a loop in a getter of the result': 'return { get a() { for (;;) {} } }',
  'a proxy without end': 'return new Proxy([], { get: (t, k) => k === "length" ? 1e9 : 1 })',
  'a loop behind a catch': 'for (;;) { try { for (;;) {} } catch {} finally { continue } }',
  'a loop in a thenable': 'return { then() { for (;;) {} } }',
  'a thenable whose end is another one': 'const again = { then(go) { go(again) } }; await again',
  'an iterator without end': 'for (const a of { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }) }) }) ;',
  'awaits of an async iterator': 'async function* all() { for (;;) yield 1 } for await (const one of all()) ;',
  'a generator that delegates to itself': 'function* all() { for (;;) yield* [1] } for (const one of all()) ;',
  'a callback of a sort that does not end': 'return [2, 1].sort(() => { for (;;) ; })',
  'a callback of a replacement that does not end': 'return "a".replace(/a/, () => { for (;;) ; })',
  'a loop in a tag of a template': 'const tag = () => { for (;;) ; }; return tag`a`',
  'a loop in a conversion to a key': 'return ({})[{ toString() { for (;;) ; } }]',
  'a loop in the log': 'log({ toJSON() { for (;;) ; } })',
  'a loop in the text of a stack':
    'Error.prepareStackTrace = () => { for (;;) ; }; return new Error("a").stack.length + (() => { for (;;) ; })()',
  'a loop in eval': 'eval("for (;;) ;")',
  'a loop in a function made of text': 'new Function("for (;;) ;")()',
})

/** Work within one call of the engine, which does not ask there whether it should stop. */
export const nativeLoops = attacks(['timeout', 'memory'], {
  'text of a long array': 'return (new Array(1e9) + "").length',
  'a regular expression of nested repetitions': 'return /^(a+)+$/.test("a".repeat(40) + "b")',
  'a regular expression of choices that overlap': 'return /^(a|a|aa)+$/.test("a".repeat(60) + "b")',
  'a regular expression of repetitions in a row': 'return "x".repeat(1e6).replace(/(x+x+)+y/, "").length',
  'a regular expression with references back': 'return /^(.*)*\\1\\1\\1b$/.test("a".repeat(60))',
  'a regular expression that looks behind': 'return /(?<=^(a+)+)c/.test("x" + "a".repeat(50) + "c")',
  'a split by a slow regular expression': 'return ("a".repeat(50) + "!").split(/(?:a*)*b/).length',
  'a regular expression made of text':
    'return new RegExp("^(" + "a?".repeat(30) + ")*" + "a".repeat(30) + "$", "v").test("a".repeat(29) + "b")',
  'a sort of millions': 'return Array.from("ab".repeat(2e6)).sort(() => 0).sort().reverse().sort().length',
  'joins of millions': 'return new Array(4e8).join("").length + new Array(4e8).fill(0).length',
  'a search in a billion': 'return new Array(1e9).lastIndexOf(1)',
  'a search from the front': 'const a = []; a.length = 4e9; return a.indexOf(1) + a.includes(1)',
  'a concatenation of holes': 'return [].concat(...new Array(9e8)).length',
  'a reversal of holes': 'const a = []; a.length = 4e9; return a.reverse().length',
  'a flattening of holes': 'const a = []; a.length = 4e9; return a.flat().length',
  'a copy within holes': 'const a = []; a.length = 4e9; return a.copyWithin(1, 0).length',
  'the text of a large number': 'return String((1n << 1000000n) - 1n).length',
  'a power': 'return String(7n ** 300000n).length',
})

export const jsonBombs = attacks(['timeout', 'memory', 'result', 'script'], {
  'arrays that hold each other twice': 'let a = [1]; for (let n = 0; n < 40; n++) a = [a, a]; return a',
  'text of arrays that hold each other twice':
    'let a = [1]; for (let n = 0; n < 40; n++) a = [a, a]; return JSON.stringify(a).length',
  'text of holes': 'const a = []; a.length = 4e9; return JSON.stringify(a).length',
  'text with wide margins':
    'let a = 1; for (let n = 0; n < 1000; n++) a = [a, a, a]; return JSON.stringify(a, null, "          ").length',
  'a text of a million numbers read again': 'const text = `[${"1,".repeat(3e6)}1]`; for (;;) JSON.parse(text)',
  'a text of a million objects': 'return JSON.parse(`[${"{\\"a\\":{}},".repeat(3e6)}1]`).length',
  'a text nested a million times': 'return JSON.parse("[".repeat(1e6) + "]".repeat(1e6))',
  'a text of escapes': 'return JSON.stringify("\\u0001".repeat(8e6)).length',
  'a reader that puts more in':
    'return JSON.parse("[1]", (key, value) => key === "0" ? new Array(1e7).fill([[]]) : value).length',
  'a long key': 'return { ["k".repeat(1e7)]: 1 }',
})

export const bombs = attacks(['memory', 'timeout', 'script'], {
  'large texts': 'const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length)',
  'text that doubles': 'let text = "ab"; for (;;) text += text + "c"',
  'text that is filled up': 'return "x".padEnd(1e9, "é").length + "x".padStart(2 ** 30 - 1).length',
  'text that is replaced': 'let text = "a"; for (;;) text = text.replaceAll("a", "aaaa")',
  'text of pieces': 'return new Array(1e6).fill("x".repeat(1e6)).join("").length',
  'a template that holds itself': 'let text = "a"; for (;;) text = `${text}${text}${text}`',
  'a template with a tag': 'const parts = []; for (;;) parts.push(String.raw`${"x".repeat(1e6)}${parts.length}`)',
  'text in another form': 'let text = "\\ufdfa"; for (;;) text = (text + text).normalize("NFKD")',
  'pieces of text': 'const kept = []; for (;;) kept.push("a,".repeat(1e5).split(","))',
  'matches of text': 'return [..."a".repeat(1e7).matchAll(/a/g)].length',
  'an array that is filled': 'return new Array(1e8).fill({}).length',
  'an array that grows while it is read': 'const a = [1]; for (const b of a) a.push(b)',
  'an array that grows': 'const kept = []; for (;;) kept.push(kept.length)',
  'arrays from numbers': 'return Array.from({ length: 1e9 }, (_, n) => [n]).length',
  'arrays that are spread': 'let a = [1]; for (;;) a = [...a, ...a]',
  'arguments without end': 'const f = (...all) => all.length; return f(...new Array(1e8))',
  'large numbers': 'let n = 3n; for (;;) n *= n',
  buffers: 'const kept = []; for (;;) kept.push(new Uint8Array(1e6))',
  'one buffer': 'return new ArrayBuffer(1e9).byteLength',
  'numbers of eight bytes': 'return new Float64Array(1e8).fill(1).length + new BigUint64Array(1e8).length',
  'buffers that are shared': 'const kept = []; for (;;) kept.push(new SharedArrayBuffer(1e6))',
  'a buffer that grows':
    'const buffer = new ArrayBuffer(1, { maxByteLength: 1e9 }); buffer.resize(1e9); return buffer.byteLength',
  'a map': 'const map = new Map(); for (let n = 0; ; n++) map.set({}, [n])',
  'members of one object': 'const a = {}; for (let n = 0; ; n++) a["key" + n] = n',
  symbols: 'const kept = []; for (;;) kept.push(Symbol("s" + kept.length), Symbol.for("t" + kept.length))',
  'functions made of text': 'const kept = []; for (;;) kept.push(new Function(`return ${kept.length}`))',
  'regular expressions made of text':
    'const kept = []; for (;;) kept.push(new RegExp("a{1,9}".repeat(1e3) + kept.length))',
  'errors with stacks': 'const kept = []; for (;;) kept.push(new Error("x".repeat(1e5) + kept.length))',
  'objects with an end':
    'const all = new FinalizationRegistry(() => {}); for (;;) all.register({}, "x".repeat(1e4) + Math.random())',
  'promises that are kept': 'const kept = []; for (;;) kept.push(new Promise(() => {}).then(() => kept))',
  'what a catch hides': 'const kept = []; for (;;) try { for (;;) kept.push("x".repeat(1e6) + kept.length) } catch {}',
  'what a catch hides, in small pieces': 'let kept; for (;;) try { for (;;) kept = { kept } } catch {}',
})

/** Memory that goes in the jobs of promises, where the engine has nobody to tell. */
export const jobBombs = attacks(['memory', 'timeout', 'script'], {
  'jobs that allocate':
    'const kept = []; const go = async () => { for (;;) { kept.push("x".repeat(1e5) + kept.length); await 0 } }; await Promise.all([go(), go()])',
  'jobs that allocate and catch':
    'const kept = []; const go = async () => { for (;;) { try { kept.push(new Array(1e4).fill(kept)) } catch { await 0 } } }; await go()',
  'jobs that allocate small pieces':
    'let kept; const go = async () => { for (;;) { kept = { kept }; await null } }; await Promise.all([go(), go(), go()])',
  'jobs that queue jobs and catch':
    'const kept = []; const go = () => { try { kept.push(new Array(1e5).fill(0)) } catch {} Promise.resolve().then(go).then(go) }; go(); await new Promise(() => {})',
  'a storm of promises': 'await Promise.all(Array.from({ length: 1e7 }, async (_, n) => n))',
  'a storm of rejections': 'for (let n = 0; ; n++) Promise.reject(new Error("x".repeat(1e4) + n))',
  'a storm of races':
    'for (;;) Promise.race(Array.from({ length: 1e4 }, () => new Promise(() => {}))).finally(() => {})',
  'a chain of promises': 'let last = Promise.resolve(); for (;;) last = last.then(() => last)',
  'a chain of results that wait for each other':
    'let last = Promise.resolve(1); for (let n = 0; n < 1e6; n++) { const before = last; last = (async () => before)() } return await last',
  'an async generator that is asked without end':
    'async function* all() { for (;;) yield "x".repeat(1e5) } const one = all(); const kept = []; for (;;) kept.push(one.next())',
})

/** The stack of the engine, and of what it runs on. */
export const recursions = attacks(['memory', 'script', 'result', 'timeout'], {
  recursion: 'const deep = () => deep() + 1; return deep()',
  'recursion through JSON': 'const a = []; a.toJSON = () => [a]; return a',
  'recursion through getters': 'const a = { get b() { return a.b } }; return a.b',
  'recursion through conversions': 'const a = { toString: () => `${a}` }; return `${a}`',
  'recursion through proxies': 'let a = {}; for (let n = 0; n < 1e5; n++) a = new Proxy(a, {}); return a.b',
  'recursion through a trap of a proxy':
    'const a = new Proxy({}, { get: (target, key, self) => self[key] }); return a.b',
  'recursion through constructors': 'class A { constructor() { new A() } } return new A()',
  'recursion through bound functions': 'let f = () => 1; for (let n = 0; n < 1e5; n++) f = f.bind(null); return f()',
  'recursion through sorts': 'const go = () => [2, 1].sort(go); return go()',
  'recursion through replacements': 'const go = () => "a".replace(/a/, go); return go()',
  'recursion through eval': 'const go = () => eval("go()"); return go()',
  'recursion through async functions': 'const go = async () => { await go() }; await go()',
  'recursion through generators': 'function* go() { yield* go() } return [...go()]',
  'recursion that is caught': 'const go = () => { try { go() } catch { go() } }; go()',
  'recursion through what has an instance':
    'class A { static [Symbol.hasInstance](a) { return a instanceof A } } return 1 instanceof A',
  'a million arrays in each other': 'let a = []; for (let n = 0; n < 1e6; n++) a = [a]; return a',
  'a million objects in each other': 'let a = {}; for (let n = 0; n < 1e6; n++) a = { a }; return a',
  'arrays in each other, flattened':
    'let a = []; for (let n = 0; n < 1e5; n++) a = [a]; return a.flat(Infinity).length',
  'text of arrays in each other': 'let a = []; for (let n = 0; n < 1e5; n++) a = [a]; return String(a).length',
  'source of a million brackets': 'return eval("[".repeat(1e6))',
  'source of a million signs': 'return eval("-".repeat(1e5).replaceAll("-", "- ") + "1")',
  'source of a million functions': 'return eval("()=>".repeat(1e5) + "1")',
  'source of templates in each other': 'return eval("`${".repeat(1e5) + "1" + "}`".repeat(1e5))',
  'a regular expression of a million groups': 'return new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("")',
  'a regular expression of open groups': 'return new RegExp("(?:".repeat(1e6)).test("")',
})

/** Much of what is allowed: it may end well. */
export const heavy = attacks(['success', 'memory', 'timeout'], {
  'a million prototypes': 'let a = {}; for (let n = 0; n < 2e5; n++) a = Object.create(a); return a.b',
  'source of a million sums': 'return eval("1+".repeat(1e6) + "1")',
  'a megabyte of text': 'return "x".repeat(2 ** 20 - 2)',
  'fifty thousand members': 'return Object.fromEntries(Array.from({ length: 5e4 }, (_, n) => [`k${n}`, n]))',
  'a text that is read and written':
    'return JSON.parse(JSON.stringify(Array.from({ length: 1e5 }, (_, n) => ({ n })))).length',
})

/** Every attack. */
export const allAttacks: readonly Attack[] = [
  ...loops,
  ...nativeLoops,
  ...jsonBombs,
  ...bombs,
  ...jobBombs,
  ...recursions,
  ...heavy,
]

/** A module whose function has these statements. */
export function scriptOf(statements: string): string {
  return `export default async (input) => { ${statements} }`
}
