import { apiClient, readVersionedAnswer } from '../../../api/client.ts'
import type { FormState, StoredDocument } from '../../../components/form/use-form.ts'
import type { ListedApiImport } from '../calls.ts'
import type { ApiImportFeature } from '../mapping.ts'
import { buildSchedulerBody, type SchedulerForm, toSchedulerForm } from './schedule.ts'

/** The editable part of an import. */
export interface ImportForm {
  name: string
  binding: number | null
  features: ApiImportFeature[]
  source: { type: 'file' | 'ftp'; folder?: string; templateFilename?: string; filename: string | null }
  scheduler: SchedulerForm | null
}

export interface ImportFormProps {
  form: FormState<ImportForm>
  isReadOnly: boolean
}

const toImportForm = ({ name, binding, features, source, scheduler }: ListedApiImport, zone: string): ImportForm => ({
  name,
  binding,
  features: features as ApiImportFeature[],
  source: { ...source, type: source.type as 'file' | 'ftp' },
  scheduler: toSchedulerForm(scheduler, zone),
})

const buildPathInit = (id: number) => ({ path: { id: String(id) } })

/** An import as it is edited; times without a zone are read in that of the account. */
export async function readImportForm(id: number, zone: string): Promise<StoredDocument<ImportForm>> {
  const { data, etag } = await readVersionedAnswer(apiClient.getImport, buildPathInit(id))
  return { data: toImportForm(data, zone), etag }
}

export async function writeImportForm(
  id: number,
  { name, binding, features, source, scheduler }: ImportForm,
  { etag, zone }: { etag: string | null; zone: string },
): Promise<StoredDocument<ImportForm>> {
  const { type, folder, templateFilename } = source
  const sourcePlace = type === 'ftp' ? { ...(folder && { folder }), ...(templateFilename && { templateFilename }) } : {}
  const body = {
    name,
    binding,
    features,
    source: { type, ...sourcePlace },
    scheduler: buildSchedulerBody(scheduler, zone),
  }
  const headers = etag === null ? {} : { 'if-match': etag }
  const storedImport = await readVersionedAnswer(apiClient.updateImport, {
    ...buildPathInit(id),
    headers,
    body: body as never,
  })
  return { data: toImportForm(storedImport.data, zone), etag: storedImport.etag }
}

/** The feature of a type, if the import has it. */
export function findFormFeature<T extends ApiImportFeature['type']>(
  features: readonly ApiImportFeature[],
  type: T,
): Extract<ApiImportFeature, { type: T }> | undefined {
  return features.find((feature): feature is Extract<ApiImportFeature, { type: T }> => feature.type === type)
}
