import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** Makes the journals of a data directory those of an earlier start of the machine; gives the senders that they are of. */
export function ageJournals(dataDir: string): string[] {
  const root = join(dataDir, 'journals')
  const senders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return senders.map(({ name }) => {
    const directory = join(root, name)
    for (const file of readdirSync(directory).filter((one) => one.startsWith('boot-')))
      renameSync(join(directory, file), join(directory, 'boot-00000000-0000-4000-8000-000000000000'))
    return name
  })
}
