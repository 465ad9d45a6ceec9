import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseSync } from '@swc/core'

/** Without its imports, and without the lines of texts that describe the interface, as in functions. */
const MAX_FILE_LINES = 400
const MAX_FUNCTION_LINES = 60
/** Of a component: markup takes a line an attribute. */
const MAX_COMPONENT_LINES = 90
const MAX_PARAMETERS = 4

/** What is over a limit, with its reason: a file, or `FILE NAME` of a function. */
const reasons: Record<string, string> = {
  'console/components/chart/ChartPlot.tsx formatTimeTicks': 'the signature of a callback of uPlot',
  'console/components/form/use-form.ts useDocumentForm': 'functions around one state',
  'console/components/table/use-keyset-rows.ts useKeysetRows': 'functions around one state',
  'console/components/table/use-window.ts useRowWindow': 'functions around one state',
  'src/features/actions/execution/execution-routes.ts actionExecutionRoutes': 'a list of routes',
  'src/features/actions/resource/action-routes.ts actionRoutes': 'a list of routes',
  'src/features/actions/validation/validation-routes.ts actionValidationRoutes': 'a list of routes',
  'src/features/display/identity.ts identifyVisitor': 'what the tag, the request and the place say',
  'src/features/rendering/html/html-elements.ts readHtmlElements': 'callbacks of one parser around one state',
  'src/features/rendering/html/text-writer.ts createHtmlTextWriter': 'functions around one state',
  'src/features/rendering/render-pool.ts createRenderPool': 'functions around one state',
  'src/features/workflows/engine/prepare-definition.ts prepareDefinition': 'functions around one state',
  'src/features/workflows/engine/worker.ts createWorkflowWorker': 'functions around one state',
  'src/features/workflows/waits/wait-candidates.ts buildCandidatesQuery': 'one statement',
  'src/features/workflows/workflow-routes.ts registerStateRoutes': 'a list of routes',
  'src/gateways/sms-smpp/link.ts writePdu': 'the parts of a PDU',
  'src/gateways/sms-smpp/submitter.ts applyAnswer': 'every parameter is a fact of the answer',
  'src/http/validation/bounded-keywords.ts replaceLoops': 'the signature of a keyword of Ajv',
  'src/scripting/sandbox/pool.ts createSandboxPool': 'functions around one state',
  'src/scripting/sandbox/realm/calls.ts createPreludeHandler': 'functions around one state',
  'src/scripting/sandbox/realm/program.ts createProgramRun': 'functions around one state',
  'src/sending/gateway-registry/gateway-registry.ts openGatewayRegistry': 'functions around one state',
  'src/sending/gateway-registry/named-gateways.ts openNamedGateways': 'functions around one state',
  'src/sending/senders/sender-thread.ts runSender': 'what a thread opens, in order, and closes in reverse',
  'src/sending/shaping/warm-up.ts openWarmUpLedger': 'functions around one state',
  'src/cli/table.ts': 'one table of commands',
}

/** A file without its import declarations. */
const withoutImports = (text: string): string =>
  text.replaceAll(/^import (?:type )?(?:[^;'"]*? from )?'[^'\n]+'(?: with [^\n]+)?\n/gm, '')

interface Measured {
  /** A file, or `FILE NAME`. */
  what: string
  lines: number
  parameters: number
}

// biome-ignore lint/suspicious/noExplicitAny: any node of a syntax tree.
type Node = any

/** A spread of a fresh literal (`...{ a, b }`, `...[a, b]`) only hides lines from the limits. */
const isFreshSpread = (node: Node): boolean =>
  (node.type === 'SpreadElement' && literalTypeOf(node.arguments) === 'ObjectExpression') ||
  (node.spread && literalTypeOf(node.expression) === 'ArrayExpression')

/** The type of an expression without its parentheses and `as const`. */
function literalTypeOf(node: Node): string | undefined {
  const isWrapped = node?.type === 'ParenthesisExpression' || node?.type === 'TsConstAssertion'
  return isWrapped ? literalTypeOf(node.expression) : node?.type
}

/** A member of a schema that is written for readers of the interface. */
const isText = (node: Node): boolean =>
  node.type === 'KeyValueProperty' && ['summary', 'description'].includes(node.key.value)

const countLines = (text: string): number => text.split('\n').length

const kinds = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassMethod'])

interface MeasuredFile {
  file: string
  functions: Measured[]
  freshSpreads: number
  /** Lines that hold nothing but texts of the interface. */
  textLines: number
}

/** Measures a file and its functions, each by its own name or that of what it is given to. */
function measureFile(file: string, text: string): MeasuredFile {
  // Spans count octets from a start that is known by the first token alone.
  const octets = Buffer.from(`;${text}`)
  const tree: Node = parseSync(octets.toString(), {
    syntax: 'typescript',
    tsx: file.endsWith('.tsx'),
    target: 'esnext',
  })
  const found: Measured[] = []
  let [freshSpreads, textLines] = [0, 0]
  const sourceOf = ({ start, end }: { start: number; end: number }): string =>
    octets.subarray(start - tree.span.start, end - tree.span.start).toString()
  /** The lines of a text that begins its line: an object on one line is counted. */
  function countTextLines(node: Node): number {
    const start = (node.key.span ?? node.span).start
    const before = octets.subarray(octets.lastIndexOf('\n', start - tree.span.start) + 1, start - tree.span.start)
    return before.toString().trim() === '' ? countLines(sourceOf({ start, end: node.value.span.end })) : 0
  }
  function visit(node: Node, name: string): void {
    if (node === null || typeof node !== 'object') return
    if (isFreshSpread(node)) freshSpreads++
    if (isText(node)) textLines += countTextLines(node)
    const own = node.identifier?.value ?? node.id?.value ?? node.key?.value ?? name
    const textLinesBefore = textLines
    for (const child of Object.values(node)) visit(child, own)
    if (!kinds.has(node.type)) return
    const lines = countLines(sourceOf(node.function?.span ?? node.span)) - (textLines - textLinesBefore)
    found.push({ what: `${file} ${own}`, lines, parameters: (node.function ?? node).params?.length ?? 0 })
  }
  visit(tree, '')
  return { file, functions: found, freshSpreads, textLines }
}

const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
const sources = ['src/**/*.ts', 'console/**/*.{ts,tsx}', 'clients/typescript/src/*.ts']
  .flatMap((pattern) => globSync(pattern))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }))
  .filter(({ file }) => !/\.test\.ts$|\.d\.ts$|database\/tables\.ts$/.test(file))
const measured = sources.map(({ file, text }) => measureFile(file, text))
const files = sources
  .map(({ file, text }, index) => ({
    what: file,
    lines: countLines(withoutImports(text)) - 1 - measured[index]!.textLines,
    parameters: 0,
  }))
  .sort((a, b) => b.lines - a.lines)
const functions = measured
  .flatMap(({ functions: measuredFunctions }) => measuredFunctions)
  .sort((a, b) => b.lines - a.lines)

const over = [
  ...files.filter(({ lines }) => lines > MAX_FILE_LINES),
  ...functions.filter(
    ({ what, lines, parameters }) =>
      lines > (what.includes('.tsx ') ? MAX_COMPONENT_LINES : MAX_FUNCTION_LINES) || parameters > MAX_PARAMETERS,
  ),
]
if (!values.check) {
  const median = files[Math.floor(files.length / 2)]?.lines ?? 0
  const total = files.reduce((sum, { lines }) => sum + lines, 0)
  process.stdout.write(`${files.length} files, ${total} lines, median ${median}; ${functions.length} functions\n`)
  for (const { what, lines } of [...files.slice(0, 12), ...functions.slice(0, 12)])
    process.stdout.write(`${String(lines).padStart(5)}  ${what}\n`)
}
for (const { what, lines, parameters } of over) {
  if (what in reasons) continue
  const size = parameters > MAX_PARAMETERS ? `${parameters} parameters` : `${lines} lines`
  process.stderr.write(`${what} has ${size}: split it, or give a reason in scripts/sizes.ts\n`)
  process.exitCode = 1
}
for (const { file, freshSpreads } of measured) {
  if (freshSpreads === 0) continue
  process.stderr.write(`${file} spreads ${freshSpreads} literals: write their members or items in place\n`)
  process.exitCode = 1
}
const named = new Set(over.map(({ what }) => what))
for (const what of Object.keys(reasons)) {
  if (named.has(what)) continue
  process.stderr.write(`${what} is no longer too long: remove it from scripts/sizes.ts\n`)
  process.exitCode = 1
}
