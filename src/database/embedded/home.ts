import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import {
  canEnterFolder,
  createPassableFolder,
  isRunningAsRoot,
  resolvePostgresAccount,
  type SystemAccount,
} from './account.ts'
import { prepareSharedFolder } from './binaries.ts'

/** The folder of one database, with its lock, its password and its cluster, and the owner of the cluster. */
export interface ClusterHome {
  folder: string
  /** The data directory of PostgreSQL. It does not exist before the first start. */
  cluster: string
  /** Set when this process is root: the account that PostgreSQL runs as. */
  account: SystemAccount | undefined
}

/** A file in the data directory when the database files could not be kept there: its first line says where they are. */
const LOCATION_FILE = 'location'

/**
 * The home of the database of a data directory, created when it is missing. It is the directory itself, except for root
 * when PostgreSQL's account cannot enter it: then it is a folder below /var/lib/stentor, which a note names.
 */
export async function openClusterHome(directory: string): Promise<ClusterHome> {
  await createPassableFolder(directory)
  const folder = await findClusterHome(directory)
  const owner = await readOwner(join(folder, 'cluster'))
  if (!isRunningAsRoot()) {
    if (owner && owner.uid !== process.getuid?.()) {
      throw new OperatorError(
        `The database in ${folder} belongs to the account ${owner.uid}. Start as that account or as root.`,
      )
    }
    return buildClusterHome(folder, undefined)
  }
  const account = owner && owner.uid !== 0 ? owner : await resolvePostgresAccount()
  if (await canEnterFolder(account, folder)) return buildClusterHome(folder, account)
  if (owner) {
    throw new OperatorError(
      `The account ${account.uid}, which runs the database, cannot access ${folder}. ` +
        'Allow others to enter the folders above it (chmod o+x).',
    )
  }
  return buildClusterHome(await createDetachedHome(folder), account)
}

/** The home of an existing data directory; creates nothing. Throws if the recorded location no longer exists. */
export async function findClusterHome(directory: string): Promise<string> {
  const folder = await realpath(directory)
  const noteText = await readFile(join(folder, LOCATION_FILE), 'utf8').catch(() => undefined)
  const notedFolder = noteText?.split('\n', 1)[0]
  if (!notedFolder) return folder
  return realpath(notedFolder).catch(() => {
    throw new OperatorError(
      `The database of ${folder} was stored in ${notedFolder}, which no longer exists. ` +
        `Put it back, or delete ${join(folder, LOCATION_FILE)} to start with an empty database.`,
    )
  })
}

function buildClusterHome(folder: string, account: SystemAccount | undefined): ClusterHome {
  return { folder, cluster: join(folder, 'cluster'), account }
}

/** A new folder each time: a directory without a note is new, even where an older one had the same name. */
async function createDetachedHome(directory: string): Promise<string> {
  const directoryHash = createHash('sha256').update(directory).digest('hex').slice(0, 12)
  const elsewhere = await mkdtemp(join(await prepareSharedFolder(), `data-${directoryHash}-`))
  await chmod(elsewhere, 0o755)
  const lines = [
    elsewhere,
    '',
    'The database files of this directory are in the folder above, because PostgreSQL does not run as root',
    'and the account it runs as cannot enter this directory. Do not delete this file: it records their location.',
    '',
  ]
  await writeFile(join(directory, LOCATION_FILE), lines.join('\n'))
  return elsewhere
}

async function readOwner(path: string): Promise<SystemAccount | undefined> {
  return stat(path).catch(() => undefined)
}
