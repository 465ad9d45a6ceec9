import { join } from 'node:path'
import type { Config } from '../../config.ts'

/** Where the uploads of an import lie; numbers only, so that no name ever becomes a path. */
export function uploadsFolder(
  { dataDir }: Pick<Config, 'dataDir'>,
  { account, import: id }: { account: number; import: number },
): string {
  return join(dataDir, 'imports', String(account), String(id))
}
