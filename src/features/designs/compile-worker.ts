import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { invalidRequestProblem, Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import { deriveTextPart } from '../rendering/html/text-part.ts'
import { scanTemplateTags } from '../rendering/templates/template-tags.ts'
import type { DesignDocument } from './design-schemas.ts'
import { findDroppedText, type MjmlComponent } from './dropped-text.ts'
import { findDesignFaults } from './faults.ts'
import { buildDesignMjml } from './mjml.ts'
import type { MjmlNode } from './mjml-node.ts'
import { findDesignWarnings, findHtmlWarnings } from './warnings.ts'

/** Source of a message. `base` is its position in the request, for the pointers of its faults. */
export type DesignCompileSource = { design: DesignDocument; base: string } | { mjml: string; base: string }

export interface CompiledDesignMessage {
  html: string
  text: string
  /** Pointers into the design. */
  warnings: ProblemFault[]
}

export type DesignCompileReply = { compiled: CompiledDesignMessage } | { faults: ProblemFault[] } | { failure: string }

interface MjmlOptions {
  validationLevel: 'strict' | 'soft' | 'skip'
  fonts: Record<string, string>
  keepComments: boolean
  ignoreIncludes: boolean
  presets: unknown[]
}
type CompileMjml = (source: string | MjmlNode, options: MjmlOptions) => Promise<{ html: string; errors: MjmlError[] }>
interface MjmlError {
  line: number
  message: string
  tagName: string
}

// These are written for require alone.
const requireModule = createRequire(import.meta.url)
const { default: mjml2html } = requireModule('mjml-core') as { default: CompileMjml }
const corePreset = requireModule('mjml-preset-core') as { components: MjmlComponent[] }

const MJML_OPTIONS = { fonts: {}, keepComments: false, ignoreIncludes: true, presets: [corePreset] }

parentPort?.on('message', async (source: DesignCompileSource) => parentPort?.postMessage(await compileReply(source)))
// Loading takes longer than most designs, and is no part of their time.
parentPort?.postMessage('ready')

async function compileReply(source: DesignCompileSource): Promise<DesignCompileReply> {
  try {
    return { compiled: 'design' in source ? await compileDesign(source) : await compileMjmlSource(source) }
  } catch (error) {
    if (error instanceof Problem) return { faults: error.errors ?? [] }
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function compileDesign({
  design,
  base,
}: Extract<DesignCompileSource, { design: DesignDocument }>): Promise<CompiledDesignMessage> {
  const faults = findDesignFaults(design, base)
  if (faults.length > 0) throw invalidRequestProblem(faults)
  const { html } = await mjml2html(buildDesignMjml(design), { ...MJML_OPTIONS, validationLevel: 'skip' })
  return { html, text: extractText(html), warnings: [...findDesignWarnings(design), ...findHtmlWarnings(html)] }
}

async function compileMjmlSource({
  mjml,
  base,
}: Extract<DesignCompileSource, { mjml: string }>): Promise<CompiledDesignMessage> {
  if (/<mj-include\b/i.test(mjml))
    throw invalidRequestProblem([{ pointer: base, detail: 'mj-include is not allowed: insert its content instead' }])
  const { html, errors } = await readMjml(mjml, base)
  const warnings = errors.map(({ line, message }) => ({ pointer: '', detail: `line ${line}: ${message}` }))
  const droppedText = findDroppedText(mjml, corePreset.components)
  return { html, text: extractText(html), warnings: [...warnings, ...droppedText, ...findHtmlWarnings(html)] }
}

/** Compiles MJML. Throws a Problem 400 for what cannot be read. */
async function readMjml(mjml: string, base: string) {
  try {
    return await mjml2html(mjml, { ...MJML_OPTIONS, validationLevel: 'soft' })
  } catch (error) {
    throw invalidRequestProblem([{ pointer: base, detail: error instanceof Error ? error.message : String(error) }])
  }
}

/** The text part as it is made of any HTML. */
function extractText(html: string): string {
  return deriveTextPart(html, scanTemplateTags(html))
}
