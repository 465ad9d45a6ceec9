import { api, versioned } from '../../../api/client.ts'
import type { Form, Stored } from '../../../components/form/use-form.ts'
import type { Import } from '../calls.ts'
import type { Feature } from '../mapping.ts'
import { type Scheduler, schedulerBody, schedulerOf } from './schedule.ts'

/** What of an import is edited. */
export interface ImportDocument {
  name: string
  binding: number | null
  features: Feature[]
  source: { type: 'file' | 'ftp'; folder?: string; templateFilename?: string; filename: string | null }
  scheduler: Scheduler | null
}

export interface Edited {
  form: Form<ImportDocument>
  isReadOnly: boolean
}

const documentOf = ({ name, binding, features, source, scheduler }: Import, zone: string): ImportDocument => ({
  ...{ name, binding },
  features: features as Feature[],
  source: { ...source, type: source.type as 'file' | 'ftp' },
  scheduler: schedulerOf(scheduler, zone),
})

const path = (id: number) => ({ params: { path: { id: String(id) } } })

/** An import as it is edited; times without a zone are read in that of the account. */
export async function readDocument(id: number, zone: string): Promise<Stored<ImportDocument>> {
  const { data, etag } = await versioned(api.GET('/imports/{id}', path(id)))
  return { data: documentOf(data, zone), etag }
}

export async function writeDocument(
  id: number,
  { name, binding, features, source, scheduler }: ImportDocument,
  { etag, zone }: { etag: string | null; zone: string },
): Promise<Stored<ImportDocument>> {
  const { type, folder, templateFilename } = source
  const place = type === 'ftp' ? { ...(folder && { folder }), ...(templateFilename && { templateFilename }) } : {}
  const body = { name, binding, features, source: { type, ...place }, scheduler: schedulerBody(scheduler, zone) }
  const headers = etag === null ? {} : { 'if-match': etag }
  const stored = await versioned(api.PUT('/imports/{id}', { ...path(id), headers, body: body as never }))
  return { data: documentOf(stored.data, zone), etag: stored.etag }
}

/** The feature of a type, if the import has it. */
export function featureOf<T extends Feature['type']>(
  features: readonly Feature[],
  type: T,
): Extract<Feature, { type: T }> | undefined {
  return features.find((one): one is Extract<Feature, { type: T }> => one.type === type)
}
