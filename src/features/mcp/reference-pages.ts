import { readdir, readFile } from 'node:fs/promises'
import { loadOnce } from '../../lib/concurrency/load-once.ts'

/** The documents of the program. An installation may lack them. */
const DOCUMENTS_FOLDER = new URL('../../../docs/', import.meta.url)
/** Folders whose pages explain how to use the service. */
const PAGE_FOLDERS = ['reference', 'how-to'] as const

/** A page of the documentation. */
export interface ReferencePage {
  /** Folder and name without extension: `reference/workflows`. */
  path: string
  title: string
  /** The first line below the title. */
  summary: string
}

async function readPageText(documents: URL, path: string): Promise<string> {
  return readFile(new URL(`${path}.md`, documents), 'utf8')
}

async function readFolderPages(documents: URL, folder: string): Promise<ReferencePage[]> {
  const files = await readdir(new URL(`${folder}/`, documents)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const paths = files.flatMap((file) => (file.endsWith('.md') ? [`${folder}/${file.slice(0, -3)}`] : [])).sort()
  return Promise.all(
    paths.map(async (path) => {
      const [heading = '', ...lines] = (await readPageText(documents, path)).split('\n', 10)
      return {
        path,
        title: heading.replace('# ', ''),
        summary: lines.find((line) => line !== '') ?? '',
      }
    }),
  )
}

/** Lists the pages below a folder, which are read once. */
export const createPageList = (documents: URL): (() => Promise<readonly ReferencePage[]>) =>
  loadOnce(async () => (await Promise.all(PAGE_FOLDERS.map((folder) => readFolderPages(documents, folder)))).flat())

/** The pages of the documentation, read once; none where it is not installed. */
export const listReferencePages = createPageList(DOCUMENTS_FOLDER)

/** The Markdown of a listed page, found by its path or its name alone; absent for any other path. */
export async function findReferencePage(path: string): Promise<string | undefined> {
  const page = (await listReferencePages()).find((one) => one.path === path || one.path.split('/')[1] === path)
  return page && readPageText(DOCUMENTS_FOLDER, page.path)
}
