const WIDTH = 32

/** Shows how far a step is: a bar on a terminal, nothing elsewhere. */
export interface Progress {
  step(name: string, done?: number, total?: number): void
  end(): void
}

export function showProgress(): Progress {
  const isTerminal = process.stderr.isTTY === true
  let current = ''
  return {
    step(name, done = 0, total = 0) {
      if (!isTerminal) {
        if (name !== current) process.stderr.write(`${name} …\n`)
        current = name
        return
      }
      if (name !== current && current !== '') process.stderr.write('\n')
      current = name
      const filled = total === 0 ? 0 : Math.round((Math.min(done, total) / total) * WIDTH)
      const bar = total === 0 ? '' : ` ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done} of ${total}`
      process.stderr.write(`\r\x1b[K${name}${bar}`)
    },
    end() {
      if (isTerminal && current !== '') process.stderr.write('\n')
    },
  }
}
