import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the documents. */
export const DOCUMENTS = new URL('../../../docs/', import.meta.url)

/** The pages whose commands are run, by their paths below `docs/`: tutorials, how-to guides and what operators do first. */
export function listGuides(): string[] {
  const cwd = fileURLToPath(DOCUMENTS)
  return globSync(['tutorials/*.md', 'how-to/*.md', 'operations/first-day.md'], { cwd }).sort()
}

/** Commands of a guide, and what the guide says that they print. */
export interface Step {
  /** The line of the guide that the commands begin at. */
  line: number
  commands: string
  /** Nothing is printed where it is absent. */
  printed?: { kind: 'json' | 'text'; text: string }
}

export interface Guide {
  /** The settings that the service is started with. */
  settings: Record<string, string>
  steps: Step[]
  /** First lines of what is shown and not run. */
  shown: string[]
}

interface Block {
  line: number
  /** The heading of the second level that it is below; empty above the first. */
  section: string
  info: string
  text: string
}

const FENCE = /^```(.*)$/

function blocksOf(name: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  let section = ''
  for (const [index, line] of readFileSync(new URL(name, DOCUMENTS), 'utf8').split('\n').entries()) {
    const [, info] = FENCE.exec(line) ?? []
    if (info === undefined) {
      if (open) open.text += `${line}\n`
      else if (line.startsWith('## ')) section = line.slice(3)
    } else if (open) {
      blocks.push(open)
      open = undefined
    } else {
      open = { line: index + 1, section, info, text: '' }
    }
  }
  if (open) throw new Error(`${name}:${open.line}: the block has no end`)
  return blocks
}

/** The settings before `npm start`. */
function settingsOf({ line, text }: Block, name: string): Record<string, string> {
  const [, assignments] = /^((?:STENTOR_\w+=\S+ )*)npm start\n$/.exec(text) ?? []
  if (assignments === undefined) throw new Error(`${name}:${line}: this is no start of the service`)
  return Object.fromEntries(
    assignments
      .split(' ')
      .filter(Boolean)
      .map((one) => one.split('=', 2) as [string, string]),
  )
}

function guideOf(blocks: readonly Block[], name: string): Guide {
  const guide: Guide = { settings: {}, steps: [], shown: [] }
  let last: Step | undefined
  for (const block of blocks) {
    const { info, text, line } = block
    const before = last
    last = undefined
    if (info === 'sh start') {
      guide.settings = settingsOf(block, name)
    } else if (info === 'sh') {
      last = { line: line + 1, commands: text }
      guide.steps.push(last)
    } else if ((info === 'json' || info === 'text') && before) {
      before.printed = { kind: info, text }
    } else if (info === 'console') {
      guide.shown.push(text.slice(0, text.indexOf('\n')))
    } else {
      throw new Error(`${name}:${line}: a block of kind "${info}" has no place here`)
    }
  }
  return guide
}

/**
 * Reads the fenced blocks of a guide: `sh start` starts the service, `sh` is run, a `json` or `text` after it is what it prints,
 * `console` is shown alone. Throws on any other block.
 */
export function readGuide(name: string): Guide {
  return guideOf(blocksOf(name), name)
}

/** Reads each section of a guide by itself, by its heading. Throws as `readGuide` does. */
export function readSections(name: string): Map<string, Guide> {
  const sections = Map.groupBy(blocksOf(name), ({ section }) => section)
  return new Map([...sections].map(([heading, blocks]) => [heading, guideOf(blocks, name)]))
}
