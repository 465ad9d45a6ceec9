import { useQueryClient } from '@tanstack/react-query'
import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
import type { ApiRequestBody } from '../../api/shapes.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { FieldGroup, NumberField, SwitchField, TextField } from '../../components/form/fields.tsx'
import { MultiChoiceField } from '../../components/form/MultiChoiceField.tsx'
import { listChangedPointers } from '../../components/form/pointers.ts'
import { type FormState, type StoredDocument, useDocumentForm } from '../../components/form/use-form.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { developerTexts } from './texts.ts'
import { type ListedApiWebhook, webhookEventKinds } from './webhook-state.tsx'

/** A version that no webhook has. */
const CHANGED = '"changed"'

/** What of a webhook people write. */
type Written = Pick<ListedApiWebhook, 'name' | 'url' | 'events' | 'channels' | 'classification' | 'active' | 'batch'>

const POINTERS = ['/name', '/url', '/events', '/channels', '/classification', '/active', '/batch/size', '/batch/waitMs']
const CHANNELS = ['email', 'sms', 'rcs', 'notification', 'display'] as const
const CLASSES = ['human', 'genericrobot', 'mpp', 'gsr', 'all'] as const

function writtenOf({ name, url, events, channels, classification, active, batch }: ListedApiWebhook): Written {
  return { name, url, events, channels, classification, active, batch }
}

async function load(id: string): Promise<StoredDocument<Written>> {
  const { data: webhook, etag } = await readVersionedAnswer(
    apiClient.GET('/webhooks/{id}', { params: { path: { id } } }),
  )
  return { data: writtenOf(webhook), etag }
}

/** Its figures change with each delivery, and its version with them: what people write is compared before it is bound to one. */
async function save(
  id: string,
  before: StoredDocument<Written>,
  { value, etag }: { value: Written; etag: string | null },
) {
  const now = await load(id)
  const version = listChangedPointers(before.data, now.data).length === 0 ? now.etag : etag
  const headers = version === null ? {} : { 'if-match': version }
  const body = value as ApiRequestBody<'/webhooks/{id}', 'put'>
  await readAnswer(apiClient.PUT('/webhooks/{id}', { params: { path: { id } }, body, headers }))
  return load(id)
}

function Fields({ form }: { form: FormState<Written> }) {
  const t = useTranslator(developerTexts)
  const words = (all: readonly string[]) => all.map((value) => ({ value, label: value }))
  const known = [...new Set<string>([...webhookEventKinds, ...form.value.events])]
  const channels = [...new Set<string>([...CHANNELS, ...form.value.channels])]
  const classes = CLASSES.map((value) => ({ value, label: t(`class_${value}`) }))
  return (
    <>
      <FieldGroup>
        <TextField form={form} at="/name" label={t('name')} />
        <TextField form={form} at="/url" label={t('url')} help={t('urlHelp')} type="url" />
        <SwitchField form={form} at="/active" label={t('active')} help={t('activeWhy')} />
      </FieldGroup>
      <FieldGroup title={t('what')}>
        <MultiChoiceField form={form} at="/events" label={t('events')} help={t('eventsWhy')} choices={words(known)} />
        <MultiChoiceField
          form={form}
          at="/channels"
          label={t('channels')}
          help={t('channelsWhy')}
          choices={words(channels)}
        />
        <MultiChoiceField
          form={form}
          at="/classification"
          label={t('classes')}
          help={t('classesWhy')}
          choices={classes}
        />
      </FieldGroup>
      <FieldGroup title={t('batch')}>
        <NumberField form={form} at="/batch/size" label={t('batchSize')} help={t('batchSizeWhy')} min={1} max={500} />
        <NumberField form={form} at="/batch/waitMs" label={t('batchWait')} unit="ms" min={0} max={5000} />
      </FieldGroup>
    </>
  )
}

/** The address, what is told, and how it is gathered. */
export function WebhookForm({ webhook }: { webhook: ListedApiWebhook }) {
  const queries = useQueryClient()
  const { id } = webhook
  const stored: StoredDocument<Written> = { data: writtenOf(webhook), etag: null }
  const form = useDocumentForm<Written>({
    name: `webhook.${id}`,
    stored,
    save: (value, etag) => save(id, stored, { value, etag: etag ?? CHANGED }),
    load: () => load(id),
    onSaved: () => void queries.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  return (
    <FormLayout form={form} pointers={POINTERS}>
      <Fields form={form} />
    </FormLayout>
  )
}
