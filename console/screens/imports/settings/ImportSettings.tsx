import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../../api/me.ts'
import { FormFrame } from '../../../components/form/FormFrame.tsx'
import { FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { Loaded } from '../../../components/form/Loaded.tsx'
import { type Stored, useForm } from '../../../components/form/use-form.ts'
import { Page } from '../../../components/layout/Page.tsx'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { importTexts } from '../texts.ts'
import { useImportTabs } from '../use-tabs.ts'
import { ColumnFields } from './ColumnFields.tsx'
import { type ImportDocument, readDocument, writeDocument } from './document.ts'
import { EffectFields } from './EffectFields.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import styles from './Settings.module.css'
import { SourceFields } from './SourceFields.tsx'
import { settingsTexts } from './texts.ts'

const route = getRouteApi('/imports/$id/settings')

/** Faults that stand beside a field of the form. */
const POINTERS = [
  ...['/name', '/binding', '/source/type', '/source/folder', '/source/templateFilename', '/scheduler'],
  ...['/scheduler/startDate', '/scheduler/frequency', '/scheduler/frequency/occurs/days', '/scheduler/timeZone'],
  ...['/scheduler/validity/start', '/scheduler/validity/end'],
]

function Edit({ id, stored }: { id: number; stored: Stored<ImportDocument> }) {
  const [t, all] = [useText(settingsTexts), useText(importTexts)]
  const { zone } = useFormat()
  const queries = useQueryClient()
  const tabs = useImportTabs(id, 'settings')
  const isReadOnly = !useMay('write')
  const form = useForm<ImportDocument>({
    name: `import.${id}`,
    stored,
    save: (value, etag) => writeDocument(id, value, { etag, zone }),
    load: () => readDocument(id, zone),
    onSaved: () => {
      tell(t('saved'))
      void queries.invalidateQueries({ queryKey: ['imports'] })
    },
  })
  const own = { form, isReadOnly }
  return (
    <Page title={stored.data.name} parent={{ label: all('title'), to: '/imports' }} tabs={tabs}>
      <FormFrame form={form} pointers={POINTERS}>
        <div className={styles['form']}>
          <FieldGroup>
            <TextField {...own} at="/name" label={all('name')} />
          </FieldGroup>
          <SourceFields {...own} />
          <ScheduleFields {...own} />
          <ColumnFields {...own} id={id} />
          <EffectFields {...own} />
        </div>
      </FormFrame>
    </Page>
  )
}

/** What an import reads, when, and what it does with it. */
export function ImportSettings() {
  const t = useText(importTexts)
  const { zone } = useFormat()
  const id = Number(route.useParams().id)
  const stored = useQuery({
    queryKey: ['imports', id, 'settings'],
    queryFn: () => readDocument(id, zone),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded read={stored} title={t('title')} parent={{ label: t('title'), to: '/imports' }}>
      {(document) => <Edit key={id} id={id} stored={document} />}
    </Loaded>
  )
}
