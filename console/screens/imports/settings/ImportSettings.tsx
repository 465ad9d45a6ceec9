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

/** Pointers of faults that are shown next to a field of the form. */
const FIELD_POINTERS = [
  '/name',
  '/binding',
  '/source/type',
  '/source/folder',
  '/source/templateFilename',
  '/scheduler',
  '/scheduler/startDate',
  '/scheduler/frequency',
  '/scheduler/frequency/occurs/days',
  '/scheduler/timeZone',
  '/scheduler/validity/start',
  '/scheduler/validity/end',
]

function SettingsForm({ id, stored: storedDocument }: { id: number; stored: StoredDocument<ImportForm> }) {
  const [t, importT] = [useTranslator(importSettingsTexts), useTranslator(importTexts)]
  const { zone } = useLocaleFormat()
  const queryClient = useQueryClient()
  const importTabs = useImportTabs(id, 'settings')
  const isReadOnly = !useHasRight('write')
  const form = useDocumentForm<ImportForm>({
    name: `import.${id}`,
    stored: storedDocument,
    save: (value, etag) => writeImportForm(id, value, { etag, zone }),
    load: () => readImportForm(id, zone),
    onSaved: () => {
      showToast(t('saved'))
      void queryClient.invalidateQueries({ queryKey: ['imports'] })
    },
  })
  const sectionProps = { form, isReadOnly }
  return (
    <ScreenPage title={storedDocument.data.name} parent={{ label: importT('title'), to: '/imports' }} tabs={importTabs}>
      <FormLayout form={form} pointers={FIELD_POINTERS}>
        <div className={styles['form']}>
          <FieldGroup>
            <TextField {...sectionProps} at="/name" label={importT('name')} />
          </FieldGroup>
          <ImportSourceFields {...sectionProps} />
          <ImportScheduleFields {...sectionProps} />
          <ImportColumnFields {...sectionProps} id={id} />
          <ImportEffectFields {...sectionProps} />
        </div>
      </FormLayout>
    </ScreenPage>
  )
}

/** Source, schedule and effects of an import. */
export function ImportSettings() {
  const t = useTranslator(importTexts)
  const { zone } = useLocaleFormat()
  const id = Number(route.useParams().id)
  const settingsQuery = useQuery({
    queryKey: ['imports', id, 'settings'],
    queryFn: () => readImportForm(id, zone),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <DocumentLoader read={settingsQuery} title={t('title')} parent={{ label: t('title'), to: '/imports' }}>
      {(document) => <SettingsForm key={id} id={id} stored={document} />}
    </DocumentLoader>
  )
}
