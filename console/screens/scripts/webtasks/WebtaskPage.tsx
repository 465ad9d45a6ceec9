import { Checkbox } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useHasRight } from '../../../api/me.ts'
import { CodeEditor } from '../../../components/code/CodeEditor.tsx'
import type { CodeFault } from '../../../components/code/editor-props.ts'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { DocumentLoader } from '../../../components/form/DocumentLoader.tsx'
import { FieldGroup, LongTextField, NumberField, SwitchField, TextField } from '../../../components/form/fields.tsx'
import { ResourcePage } from '../../../components/form/ResourcePage.tsx'
import type { FormState, StoredDocument } from '../../../components/form/use-form.ts'
import { NEW_RESOURCE_ID, useResource, useStoredDocument } from '../../../components/form/use-resource.ts'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { type PageTab, ScreenPage } from '../../../components/layout/ScreenPage.tsx'
import { WhereUsed } from '../../../components/where-used/WhereUsed.tsx'
import { objectPaths } from '../../../paths.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { DuplicateMenuEntry } from '../DuplicateMenuEntry.tsx'
import { toScriptTextFaults } from '../flaws.ts'
import { WebtaskRunList } from '../runs/WebtaskRunList.tsx'
import { WebtaskRunPanel } from '../runs/WebtaskRunPanel.tsx'
import { ScriptCapabilityFields } from '../ScriptCapabilityFields.tsx'
import { ScriptFlawList } from '../ScriptFlawList.tsx'
import { scriptTexts } from '../texts.ts'
import { useWebtaskFlaws } from '../use-flaws.ts'
import { readWebtaskUses } from '../uses.ts'
import { listHostCompletions, listModuleCompletions } from './host-words.ts'
import { WebtaskTokens } from './WebtaskTokens.tsx'
import { type ApiWebtask, duplicateWebtask, hasWebtaskSecrets, webtaskResource } from './webtask-kind.ts'

const route = getRouteApi('/webtasks/$id')

interface MembersProps {
  form: FormState<ApiWebtask>
  isReadOnly: boolean
}

interface ScriptProps extends MembersProps {
  id: string
  /** Position at which the last run ended. */
  ended: CodeFault | null
}

/** The script with what is wrong in it: as the service finds it while it is written, and where the last run ended. */
function ScriptField({ form, isReadOnly, id, ended: runEndFault }: ScriptProps) {
  const t = useTranslator(scriptTexts)
  const flaws = useWebtaskFlaws(id, form, isReadOnly)
  const scriptFaults = useMemo(
    () => [...toScriptTextFaults(flaws, '/value'), ...(runEndFault ? [runEndFault] : [])],
    [flaws, runEndFault],
  )
  const { capabilities } = form.value.scripting.environment
  const { imports } = form.value.scripting
  const completions = useMemo(() => {
    const importNames = ((imports ?? []) as readonly { name?: unknown }[]).map(({ name }) => String(name ?? ''))
    const hostCompletions = listHostCompletions(capabilities ?? [], (capability) => t('notGranted', { capability }))
    return { words: [...hostCompletions, ...listModuleCompletions(importNames)] }
  }, [capabilities, imports, t])
  return (
    <>
      <CodeEditor
        language="javascript"
        label={t('script')}
        minHeight={260}
        value={form.value.value}
        onChange={(value) => form.set('/value', value)}
        completions={completions}
        faults={scriptFaults}
        readOnly={isReadOnly}
      />
      <ScriptFlawList flaws={flaws} />
    </>
  )
}

function WebtaskSettings({ form, isReadOnly }: MembersProps) {
  const t = useTranslator(scriptTexts)
  const fieldProps = { form, isReadOnly }
  const { methods } = form.value.settings.public
  return (
    <FieldGroup title={t('settings')}>
      <NumberField {...fieldProps} at="/settings/cpuMs" label={t('cpu')} unit="ms" min={10} max={1000} />
      <NumberField {...fieldProps} at="/settings/wallMs" label={t('wall')} unit="ms" min={100} max={30_000} />
      <SwitchField {...fieldProps} at="/settings/logs" label={t('keepLogs')} />
      <SwitchField {...fieldProps} at="/settings/public/enabled" label={t('public')} help={t('publicHelp')} />
      {form.value.settings.public.enabled && (
        <Checkbox.Group
          label={t('methods')}
          value={[...methods]}
          onChange={(next) => form.set('/settings/public/methods', next)}
        >
          <div style={{ display: 'flex', gap: 16, marginTop: 6 }}>
            {['GET', 'POST'].map((method) => (
              <Checkbox key={method} value={method} label={method} disabled={isReadOnly} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </FieldGroup>
  )
}

function WebtaskFields({ id, form, isReadOnly, isNew }: MembersProps & { id: string; isNew: boolean }) {
  const t = useTranslator(scriptTexts)
  const [runEnd, setRunEnd] = useState<{ fault: CodeFault; in: string } | null>(null)
  // A position is only valid while the text is unchanged.
  const isEndCurrent = runEnd !== null && runEnd.in === form.value.value
  const keepFault = (fault: CodeFault | null): void => setRunEnd(fault && { fault, in: form.value.value })
  return (
    <>
      <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
      <ScriptField id={id} form={form} isReadOnly={isReadOnly} ended={isEndCurrent ? runEnd.fault : null} />
      {!isNew && <WebtaskRunPanel id={id} form={form} isReadOnly={isReadOnly} onFault={keepFault} />}
      <FieldGroup title={t('allowed')}>
        <ScriptCapabilityFields form={form} at="/scripting" isReadOnly={isReadOnly} />
      </FieldGroup>
      <WebtaskSettings form={form} isReadOnly={isReadOnly} />
      <LongTextField form={form} at="/description" label={t('description')} isReadOnly={isReadOnly} />
    </>
  )
}

const FIELD_POINTERS = [
  '/name',
  '/description',
  '/value',
  '/settings/cpuMs',
  '/settings/wallMs',
  '/scripting/imports',
  '/scripting/environment/capabilities',
  '/scripting/environment/http/allow',
  '/scripting/environment/variables',
]

interface EditProps {
  id: string
  stored: StoredDocument<ApiWebtask>
  tabs: readonly PageTab[]
}

function WebtaskEditor({ id, stored: storedDocument, tabs }: EditProps) {
  const t = useTranslator(scriptTexts)
  const isReadOnly = !useHasRight('write')
  const { name, updateDate } = storedDocument.data
  const resource = useResource(webtaskResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<ApiWebtask>
      {...resource}
      title={resource.isNew ? t('newWebtask') : name}
      parent={{ label: t('webtasks'), to: '/webtasks' }}
      note={!resource.isNew && <FormattedTime at={updateDate} />}
      stored={storedDocument}
      isReadOnly={isReadOnly}
      {...(!resource.isNew &&
        !isReadOnly && {
          menu: (
            <DuplicateMenuEntry
              kind={webtaskResource}
              copy={() => duplicateWebtask(storedDocument.data)}
              hasSecrets={hasWebtaskSecrets(storedDocument.data)}
            />
          ),
        })}
      tabs={tabs}
      pointers={FIELD_POINTERS}
      aside={
        !resource.isNew && (
          <PagePanel title={t('used')}>
            <WhereUsed path={`webtask/${id}`} load={(signal) => readWebtaskUses(Number(id), signal)} />
          </PagePanel>
        )
      }
    >
      {(form) => <WebtaskFields id={id} form={form} isReadOnly={isReadOnly} isNew={resource.isNew} />}
    </ResourcePage>
  )
}

/** A script of the account: its text, its runs, its tokens. */
export function WebtaskPage() {
  const t = useTranslator(scriptTexts)
  const { id } = route.useParams()
  const { tab } = route.useSearch()
  const canWrite = useHasRight('write')
  const webtaskQuery = useStoredDocument(webtaskResource, id)
  const parent = { label: t('webtasks'), to: '/webtasks' }
  const webtaskPath = objectPaths.webtask(id)
  const tabs: PageTab[] = [
    { label: t('script'), to: webtaskPath, search: {}, isOpen: tab === undefined },
    { label: t('runs'), to: webtaskPath, search: { tab: 'runs' }, isOpen: tab === 'runs' },
    ...(canWrite ? [{ label: t('tokens'), to: webtaskPath, search: { tab: 'tokens' }, isOpen: tab === 'tokens' }] : []),
  ]
  return (
    <DocumentLoader read={webtaskQuery} title={t('webtask')} parent={parent}>
      {(storedDocument) =>
        tab === undefined || id === NEW_RESOURCE_ID ? (
          <WebtaskEditor key={id} id={id} stored={storedDocument} tabs={id === NEW_RESOURCE_ID ? [] : tabs} />
        ) : (
          <ScreenPage title={storedDocument.data.name} parent={parent} tabs={tabs}>
            {tab === 'runs' && <WebtaskRunList id={id} />}
            {tab === 'tokens' && canWrite && (
              <WebtaskTokens id={id} isPublic={storedDocument.data.settings.public.enabled} />
            )}
          </ScreenPage>
        )
      }
    </DocumentLoader>
  )
}
