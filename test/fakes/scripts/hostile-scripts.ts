// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are scripts.
import type { ScriptCapability } from '../../../src/scripting/sandbox/functions.ts'
import type { SourceModule } from '../../../src/scripting/sandbox/types.ts'
import { nativeLoops } from './attacks.ts'

/** A script by chance, and what it is run with. */
export interface HostileScript {
  source: string
  imports: SourceModule[]
  initializers: SourceModule[]
  capabilities: ScriptCapability[]
  input: unknown
}

/** One in so many scripts has a part that only a kill from outside ends: each costs a second and a thread. */
const KILLED_IN = 12
const DEEPEST = 3

/** Values that are hard to carry. */
const VALUES = [
  'null',
  'undefined',
  '-0',
  'NaN',
  'Infinity',
  '1e308',
  '2n ** 64n',
  'Symbol("s")',
  'Symbol.iterator',
  '() => 1',
  'async () => 1',
  'class { static a = 1 }',
  'new Date(NaN)',
  'new Date(8.64e15)',
  '/a/gu',
  'new Error("e")',
  'new Map([[1, {}]])',
  'new WeakMap()',
  'new Set("ab")',
  'new Uint8Array(9)',
  'new ArrayBuffer(8)',
  'Promise.resolve(1)',
  'Promise.reject(new Error("later"))',
  'new Promise(() => {})',
  'Object.create(null)',
  'new Array(1e6)',
  '[, 1, ,]',
  '{ __proto__: { polluted: 1 } }',
  'JSON.parse(\'{"__proto__": {"polluted": 1}, "constructor": {"prototype": 1}}\')',
  '{ get a() { throw new Error("get") } }',
  '{ get a() { return globalThis } }',
  '{ toJSON: () => ({ toJSON: () => 1 }) }',
  'new Proxy({}, { get: (target, key) => key })',
  'new Proxy([], { get: () => 2 ** 32 })',
  'new Proxy(() => {}, {})',
  'Proxy.revocable({}, {}).proxy',
  '{ then(go) { go({ then(on) { on(1) } }) } }',
  '{ then: 1 }',
  '{ valueOf() { throw 1 } }',
  '"\\ud800"',
  '"\\u0000\\u2028"',
  '"\u202eabc"',
  '"👩‍👩‍👧‍👦".repeat(1e3)',
  '"é".repeat(6e5)',
  '"x".repeat(2e6)',
  '"a".normalize("NFKD")',
  'globalThis',
  'input',
  'arguments',
  'log',
  'crypto',
  'Reflect',
  'Object.prototype',
  'Array.prototype',
  'new Function("a", "return a")',
  '{ a: { a: { a: [[[[[[1]]]]]] } } }',
  'Array.from({ length: 300 }).reduce((a) => [a], 1)',
  'Array.from({ length: 9e4 }, () => "é€")',
]

/** Keys that lead out of an object. */
const KEYS = [
  '"__proto__"',
  '"constructor"',
  '"prototype"',
  '"then"',
  '"toJSON"',
  '"length"',
  'Symbol.toPrimitive',
  '"a"',
  '0',
]

/**
 * Statements. `V` stands for a value, `K` for a key, `N` for a number, `S` for another statement, `Z` for one that awaits nothing, and
 * `TEXT` for the text of one.
 */
const STATEMENTS = [
  // Loops and stacks.
  'for (;;) { S }',
  'for (let n = 0; n < N; n++) { S }',
  'for (const one of [V, V]) { await one; S }',
  'const again = () => { Z; return again() }; again()',
  'const again = async () => { await 0; S; return again() }; await again()',
  // Memory.
  'kept.push("x".repeat(N * 1e3) + N)',
  'for (;;) kept.push(V)',
  'kept.push(new Uint8Array(N * 1e4), new Array(N).fill(V))',
  'let text = "é"; for (let n = 0; n < 40; n++) text = `${text}${text}`',
  'kept.push([...Array(N).keys()].map(() => V))',
  // Promises.
  'Promise.resolve(V).then(() => { Z })',
  'Promise.reject(V)',
  'await Promise.race([V, 1])',
  'await Promise.allSettled(Array.from({ length: N }, async () => { S }))',
  'await V',
  'new Promise((resolve) => { Z; resolve(V) })',
  // What holds the engine together.
  'Object.prototype[K] = V',
  'Array.prototype[K] = V',
  'Function.prototype[K] = V',
  'Promise.prototype.then = V',
  'Object.defineProperty(Object.prototype, K, { get() { Z }, set() {} })',
  'Object.setPrototypeOf(globalThis, V)',
  'Object.freeze(Object.prototype)',
  'globalThis[K] = V',
  'delete globalThis.JSON; delete globalThis.Promise; delete globalThis.Object',
  'JSON.stringify = JSON.parse = () => V',
  'Reflect.apply = String.prototype.slice = Map.prototype.get = Map.prototype.set = () => V',
  'Array.prototype[Symbol.iterator] = function* () { yield V }',
  'Error.prepareStackTrace = () => { Z; return V }',
  'String = Error = TypeError = V',
  // Ways out.
  'seen.push(typeof process, typeof require, typeof native, typeof module)',
  'seen.push(log.constructor("return typeof process + typeof require")())',
  'try { V.constructor.constructor("return process")() } catch (error) { seen.push(String(error)) }',
  'for (const name of Object.getOwnPropertyNames(globalThis)) seen.push(name)',
  'seen.push(String(log), String(crypto.hash), new Error("here").stack)',
  'try { kept.push(await import(V)) } catch (error) { seen.push(String(error), String(error.stack)) }',
  'kept.push(await import("tools"))',
  'seen.push(Object.keys(await import("node:fs")))',
  'seen.push(eval("this"), (0, eval)("typeof canary"))',
  'eval(TEXT)',
  'new Function(TEXT)()',
  // Functions of the host.
  'log(V, V)',
  'console.error("x".repeat(N * 100))',
  'for (let n = 0; n < N; n++) log(n, V)',
  'seen.push(crypto.randomUUID(), Math.random(), Date.now())',
  'crypto.hash(V, V)',
  'crypto.hmac("sha256", V, "x".repeat(N * 1e3))',
  'base64.decode(V) + base64.encode(V)',
  'date.format(V, V, V)',
  'date.format(0, "%999d".repeat(N), "Europe/Paris")',
  'date.add(V, { unit: V, value: N }, V)',
  'date.add(0, { unit: "YEAR", value: 1e9 })',
  'await targets.get(V)',
  'for (let n = 0; n < N; n++) targets.get(n)',
  'await Promise.all(Array.from({ length: 120 }, () => targets.get(V)))',
  'await http.fetch(V, V)',
  'targets.update(V, V)',
  'kept.push(targets.create({ a: V }), targets.create({}))',
  'events.publish(V, { [K]: V }, V)',
  'for (;;) targets.update("x".repeat(1e5), {})',
  // Regular expressions and text.
  '/(a|b)*c/.test("ab".repeat(N))',
  '"\\ud83d\\ude00".repeat(N).replace(/./gu, () => { Z; return "" })',
  '"x".repeat(N).split("").sort(() => { Z; return 0 })',
  // Ends.
  'try { S } catch { S } finally { S }',
  'throw V',
  'return V',
  'return { a: V, [K]: [V] }',
  'return kept',
]

const NUMBERS = ['0', '1', '7', '101', '300', '5e3', '1e5', '-1', '2 ** 31']
const TOOLS = [
  'export const a = 1',
  'export default V; S',
  'S',
  'import { a } from "tools"; export { a }',
  'export const a =',
]

/** What statements write into. */
const LISTS = 'globalThis.kept ??= []; globalThis.seen ??= []'

/** A script of some statements by chance: the same one for the same numbers. */
export function hostileScript(random: () => number): HostileScript {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const isOneOf = (count: number) => random() * count < 1

  function filled(text: string, depth: number): string {
    return text.replace(/\b(?:V|K|N|S|Z|TEXT)\b/g, (place) => {
      if (place === 'V') return `(${pick(VALUES)})`
      if (place === 'K') return `[${pick(KEYS)}][0]`
      if (place === 'N') return `(${pick(NUMBERS)})`
      const inner = depth < DEEPEST ? statement(depth + 1) : 'seen.push(1)'
      if (place === 'S') return inner
      const atOnce = inner.replace(/\bawait /g, '')
      return place === 'Z' ? atOnce : JSON.stringify(atOnce.replace(/\breturn /g, ''))
    })
  }
  const statement = (depth: number): string => filled(pick(STATEMENTS), depth)
  /** Most of them are caught: a script that ends with its first error does little. */
  const caught = (text: string) =>
    isOneOf(4) ? `{ ${text} }` : `try { ${text} } catch (error) { seen.push(\`\${error}\`) }`
  const body = (count: number) => Array.from({ length: count }, () => caught(statement(0))).join('\n')
  const module = (name: string): SourceModule => ({
    name,
    source: `${LISTS}\n${filled(pick(TOOLS), DEEPEST)}`,
  })

  const killed = isOneOf(KILLED_IN) ? `{ ${pick(nativeLoops).statements} }` : ''
  return {
    source: `${LISTS}
export default async function (input) {
${body(1 + Math.floor(random() * 6))}
${killed}
return [seen, kept.length]
}`,
    imports: isOneOf(3) ? [module('tools')] : [{ name: 'tools', source: 'export const a = 1' }],
    initializers: isOneOf(4) ? [module('first')] : [],
    capabilities: (['targets.read', 'targets.write', 'events.publish', 'http.fetch'] as const).filter(() => isOneOf(2)),
    input: isOneOf(3) ? JSON.parse('{"__proto__": {"polluted": 1}, "a": [1, "é"]}') : null,
  }
}
