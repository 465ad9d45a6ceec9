import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { type Fault, invalid, Problem } from '../../lib/errors/problem.ts'
import { deriveText } from '../rendering/html/text-part.ts'
import { templateTags } from '../rendering/templates/template-tags.ts'
import type { Design } from './design-schemas.ts'
import { droppedTextWarnings, type MjmlComponent } from './dropped-text.ts'
import { designFaults } from './faults.ts'
import { mjmlOf } from './mjml.ts'
import type { MjmlNode } from './mjml-node.ts'
import { designWarnings, htmlWarnings } from './warnings.ts'

/** What a message is made from. `base`: where the request holds it, for the pointers of its faults. */
export type Source = { design: Design; base: string } | { mjml: string; base: string }

export interface Compiled {
  html: string
  text: string
  /** Pointers into the design. */
  warnings: Fault[]
}

export type CompileReply = { compiled: Compiled } | { faults: Fault[] } | { failure: string }

interface MjmlOptions {
  validationLevel: 'strict' | 'soft' | 'skip'
  fonts: Record<string, string>
  keepComments: boolean
  ignoreIncludes: boolean
  presets: unknown[]
}
type Mjml = (source: string | MjmlNode, options: MjmlOptions) => Promise<{ html: string; errors: MjmlError[] }>
interface MjmlError {
  line: number
  message: string
  tagName: string
}

// These are written for require alone.
const load = createRequire(import.meta.url)
const { default: mjml2html } = load('mjml-core') as { default: Mjml }
const preset = load('mjml-preset-core') as { components: MjmlComponent[] }

const OPTIONS = { fonts: {}, keepComments: false, ignoreIncludes: true, presets: [preset] }

parentPort?.on('message', async (source: Source) => parentPort?.postMessage(await reply(source)))
// Loading takes longer than most designs, and is no part of their time.
parentPort?.postMessage('ready')

async function reply(source: Source): Promise<CompileReply> {
  try {
    return { compiled: 'design' in source ? await fromDesign(source) : await fromMjml(source) }
  } catch (error) {
    if (error instanceof Problem) return { faults: error.errors ?? [] }
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function fromDesign({ design, base }: Extract<Source, { design: Design }>): Promise<Compiled> {
  const faults = designFaults(design, base)
  if (faults.length > 0) throw invalid(faults)
  const { html } = await mjml2html(mjmlOf(design), { ...OPTIONS, validationLevel: 'skip' })
  return { html, text: textOf(html), warnings: [...designWarnings(design), ...htmlWarnings(html)] }
}

async function fromMjml({ mjml, base }: Extract<Source, { mjml: string }>): Promise<Compiled> {
  if (/<mj-include\b/i.test(mjml))
    throw invalid([{ pointer: base, detail: 'mj-include is not allowed: put its content here' }])
  const { html, errors } = await read(mjml, base)
  const warnings = errors.map(({ line, message }) => ({ pointer: '', detail: `line ${line}: ${message}` }))
  const dropped = droppedTextWarnings(mjml, preset.components)
  return { html, text: textOf(html), warnings: [...warnings, ...dropped, ...htmlWarnings(html)] }
}

/** Compiles MJML. Throws a Problem 400 for what cannot be read. */
async function read(mjml: string, base: string) {
  try {
    return await mjml2html(mjml, { ...OPTIONS, validationLevel: 'soft' })
  } catch (error) {
    throw invalid([{ pointer: base, detail: error instanceof Error ? error.message : String(error) }])
  }
}

/** The text part as it is made of any HTML. */
function textOf(html: string): string {
  return deriveText(html, templateTags(html))
}
