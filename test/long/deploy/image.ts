import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './checkout.ts'
import { allOf, type Instruction, isLeftIn, readCopy, type Stage } from './containerfile.ts'

const run = promisify(execFile)

/** Nothing of the npm that runs the tests. */
const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  CHECKOUT: ROOT,
  // What this machine has installed before is in npm's cache.
  npm_config_prefer_offline: 'true',
}

/** What is copied from, and where the stages are made. */
export interface Builder {
  /** Files of the checkout, and what of them is left in. */
  files: readonly string[]
  ignore: string
  /** A folder of each stage is made in it. */
  folder: string
}

/** The folder in which a stage without a name is made. */
export const LAST = 'image'

const rootOf = ({ folder }: Builder, stage: string): string => join(folder, stage)

async function copyContext({ files, ignore }: Builder, source: string, target: string): Promise<void> {
  const own = files.filter((file) => file === source || file.startsWith(`${source}/`))
  for (const file of own.filter((candidate) => isLeftIn(ignore, candidate))) {
    const to = join(target, file.slice(source.length))
    await mkdir(dirname(to), { recursive: true })
    await cp(join(ROOT, file), to)
  }
}

/** A COPY: files go into a target that ends with a slash, or are renamed to it; of a folder its contents go there. */
async function copy(builder: Builder, { stage, workdir }: { stage: string; workdir: string }, rest: string) {
  const { from, sources, target } = readCopy(rest)
  for (const source of sources) {
    const at = target.endsWith('/') ? join(target, basename(source)) : target
    const to = join(rootOf(builder, stage), workdir, at)
    if (from === undefined) await copyContext(builder, source, to)
    else await cp(join(rootOf(builder, from), source), to, { recursive: true, verbatimSymlinks: true })
  }
}

/** What `npm ci` makes of the lock file is what this checkout has: linked, it is there at once. Names with a dot are of this checkout alone. */
const INSTALLED = `mkdir node_modules
for entry in "$CHECKOUT"/node_modules/* "$CHECKOUT"/node_modules/.bin; do
  cp -al "$entry" node_modules/ 2>/dev/null || cp -a "$entry" node_modules/
done
cp "$CHECKOUT"/node_modules/.package-lock.json node_modules/`

/** What is run for a RUN below its working directory. */
function scriptOf(rest: string): string {
  return rest.replace(/^npm ci(?! --omit)[^&]*/, INSTALLED)
}

/** Whether a RUN changes the system of the image, which is not done here: its packages, its accounts. */
const isOfSystem = ({ word, rest }: Instruction): boolean => word === 'RUN' && /^(apt-get|useradd) /.test(rest)

/**
 * Follows the instructions of a stage in a folder: its copies, and what its RUN do below its working directory. Gives where that is.
 * Packages and accounts of the system are left out.
 */
export async function follow(builder: Builder, stage: Stage): Promise<string> {
  const name = stage.name ?? LAST
  const [workdir = ''] = allOf(stage, 'WORKDIR')
  const place = join(rootOf(builder, name), workdir)
  await mkdir(place, { recursive: true })
  for (const instruction of stage.instructions.filter((candidate) => !isOfSystem(candidate))) {
    const { word, rest } = instruction
    if (word === 'COPY') await copy(builder, { stage: name, workdir }, rest)
    if (word === 'RUN') await run('sh', ['-ec', scriptOf(rest)], { cwd: place, env: environment })
  }
  return place
}
