/** One instruction of a Containerfile: its word in capitals, and what follows on its lines. */
export interface Instruction {
  word: string
  rest: string
}

/** What is built from one FROM. */
export interface Stage {
  image: string
  name: string | undefined
  instructions: Instruction[]
}

/** Reads a Containerfile: comments go, lines that end with a backslash go on. */
export function readContainerfile(text: string): Stage[] {
  const lines = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  const stages: Stage[] = []
  for (const line of lines.split('\n').filter((candidate) => candidate.trim() !== '')) {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    if (word === 'FROM') {
      const [image = '', as, name] = rest.split(/\s+/)
      stages.push({ image, name: as === undefined ? undefined : name, instructions: [] })
    } else stages.at(-1)?.instructions.push({ word, rest })
  }
  return stages
}

/** What the instructions of a stage with this word say, in order. */
export function allOf({ instructions }: Stage, word: string): string[] {
  return instructions.filter((instruction) => instruction.word === word).map(({ rest }) => rest)
}

/** The words of an instruction in its exec form, `["node", "main.ts"]`; undefined in any other. */
export function execForm(text: string): string[] | undefined {
  const [, json] = /^(?:.*\sCMD\s+)?(\[.*\])$/.exec(text) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

/** A COPY: where it copies from, what, and whereto. */
export function readCopy(rest: string): { from: string | undefined; sources: string[]; target: string } {
  const words = rest.split(/\s+/)
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  return { from, sources: words.slice(0, -1), target: words.at(-1) ?? '' }
}

/** The variables of all ENV of a stage. */
export function environmentOf(stage: Stage): Record<string, string> {
  const pairs = allOf(stage, 'ENV').flatMap((rest) => [...rest.matchAll(/(\w+)=(\S+)/g)])
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
}

/** Whether a .dockerignore leaves a path in: the last line that matches decides. Lines are names, `*`, and `**` before a name. */
export function isLeftIn(ignore: string, path: string): boolean {
  let left = true
  for (const line of ignore.split('\n').filter((candidate) => candidate !== '' && !candidate.startsWith('#'))) {
    const pattern = line
      .replace(/^!/, '')
      .replaceAll('.', '\\.')
      .replaceAll(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'))
    if (new RegExp(`^${pattern}(?:/.*)?$`).test(path)) left = line.startsWith('!')
  }
  return left
}
