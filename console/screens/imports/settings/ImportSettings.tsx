import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useHasRight } from '../../../api/me.ts'
import { DocumentLoader } from '../../../components/form/DocumentLoader.tsx'
import { FormLayout } from '../../../components/form/FormLayout.tsx'
import { FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { type StoredDocument, useDocumentForm } from '../../../components/form/use-form.ts'
import { ScreenPage } from '../../../components/layout/ScreenPage.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { importTexts } from '../texts.ts'
import { useImportTabs } from '../use-tabs.ts'
import { type ImportForm, readImportForm, writeImportForm } from './document.ts'
import { ImportColumnFields } from './ImportColumnFields.tsx'
import { ImportEffectFields } from './ImportEffectFields.tsx'
import { ImportScheduleFields } from './ImportScheduleFields.tsx'
import { ImportSourceFields } from './ImportSourceFields.tsx'
import styles from './Settings.module.css'
import { importSettingsTexts } from './texts.ts'

const route = getRouteApi('/imports/$id/settings')

/** Faults that stand beside a field of the form. */
const POINTERS = [
  ...['/name', '/binding', '/source/type', '/source/folder', '/source/templateFilename', '/scheduler'],
  ...['/scheduler/startDate', '/scheduler/frequency', '/scheduler/frequency/occurs/days', '/scheduler/timeZone'],
  ...['/scheduler/validity/start', '/scheduler/validity/end'],
]

function Edit({ id, stored }: { id: number; stored: StoredDocument<ImportForm> }) {
  const [t, all] = [useTranslator(importSettingsTexts), useTranslator(importTexts)]
  const { zone } = useLocaleFormat()
  const queries = useQueryClient()
  const tabs = useImportTabs(id, 'settings')
  const isReadOnly = !useHasRight('write')
  const form = useDocumentForm<ImportForm>({
    name: `import.${id}`,
    stored,
    save: (value, etag) => writeImportForm(id, value, { etag, zone }),
    load: () => readImportForm(id, zone),
    onSaved: () => {
      showToast(t('saved'))
      void queries.invalidateQueries({ queryKey: ['imports'] })
    },
  })
  const own = { form, isReadOnly }
  return (
    <ScreenPage title={stored.data.name} parent={{ label: all('title'), to: '/imports' }} tabs={tabs}>
      <FormLayout form={form} pointers={POINTERS}>
        <div className={styles['form']}>
          <FieldGroup>
            <TextField {...own} at="/name" label={all('name')} />
          </FieldGroup>
          <ImportSourceFields {...own} />
          <ImportScheduleFields {...own} />
          <ImportColumnFields {...own} id={id} />
          <ImportEffectFields {...own} />
        </div>
      </FormLayout>
    </ScreenPage>
  )
}

/** What an import reads, when, and what it does with it. */
export function ImportSettings() {
  const t = useTranslator(importTexts)
  const { zone } = useLocaleFormat()
  const id = Number(route.useParams().id)
  const stored = useQuery({
    queryKey: ['imports', id, 'settings'],
    queryFn: () => readImportForm(id, zone),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <DocumentLoader read={stored} title={t('title')} parent={{ label: t('title'), to: '/imports' }}>
      {(document) => <Edit key={id} id={id} stored={document} />}
    </DocumentLoader>
  )
}
