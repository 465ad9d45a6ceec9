import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { CodeEditor } from '../../components/code/CodeEditor.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { ChoiceField, FieldGroup, LongTextField, TextField } from '../../components/form/fields.tsx'
import { isSameDocument } from '../../components/form/pointers.ts'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { FormState, StoredDocument } from '../../components/form/use-form.ts'
import { useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { blankCompilableValues, type CompilableForm, compilableResource } from './compilable-kind.ts'
import { DuplicateMenuEntry } from './DuplicateMenuEntry.tsx'
import { type ApiScriptFlaw, toScriptTextFaults } from './flaws.ts'
import { PipelineEditor } from './pipeline/PipelineEditor.tsx'
import { CompilablePreviewPanel } from './runs/CompilablePreviewPanel.tsx'
import { ParameterFields } from './runs/ParameterFields.tsx'
import { useCompilablePreview } from './runs/use-preview.ts'
import { ScriptCapabilityFields } from './ScriptCapabilityFields.tsx'
import { ScriptFlawList } from './ScriptFlawList.tsx'
import { scriptTexts } from './texts.ts'
import { readCompilableUses } from './uses.ts'
import { listHostCompletions } from './webtasks/host-words.ts'

const route = getRouteApi('/compilables/$id')

const COMPILABLE_KINDS = ['pipeline', 'template', 'script'] as const

interface MembersProps {
  form: FormState<CompilableForm>
  flaws: readonly ApiScriptFlaw[]
  isReadOnly: boolean
}

/** The text of a template or a script. */
function TextMembers({ form, flaws, isReadOnly }: MembersProps) {
  const t = useTranslator(scriptTexts)
  const { value } = form.value
  const isTemplate = value.type === 'template'
  const textFaults = useMemo(() => toScriptTextFaults(flaws, '/value/value'), [flaws])
  const completions = useMemo(() => {
    const parameterNames = value.parameters.map(({ name }) => name ?? '').filter((name) => name !== '')
    return {
      words: listHostCompletions([], (capability) => t('notGranted', { capability })),
      variables: [{ label: 'arguments', type: 'variable' as const }],
      properties: ([root]: readonly string[]) =>
        root === 'arguments' ? parameterNames.map((label) => ({ label })) : [],
    }
  }, [value.parameters, t])
  if (value.type === 'pipeline') return null
  return (
    <>
      {isTemplate && (
        <ChoiceField
          form={form}
          at="/value/output"
          label={t('output')}
          isReadOnly={isReadOnly}
          choices={['text', 'html', 'json'].map((option) => ({ value: option, label: option }))}
        />
      )}
      <CodeEditor
        language={isTemplate ? 'liquid' : 'javascript'}
        label={t(isTemplate ? 'template' : 'script')}
        minHeight={220}
        value={value.value}
        onChange={(next) => form.set('/value/value', next)}
        completions={completions}
        faults={textFaults}
        readOnly={isReadOnly}
      />
      {value.type === 'script' && <ScriptCapabilityFields form={form} at="/value/scripting" isReadOnly={isReadOnly} />}
    </>
  )
}

interface CompilableFieldsProps extends MembersProps {
  id: string | null
  etag: string | null
}

function CompilableFields({ id, form, isReadOnly, flaws: storedFlaws, etag }: CompilableFieldsProps) {
  const t = useTranslator(scriptTexts)
  const { value } = form.value
  const previewing = useCompilablePreview({ id: id ?? '', form, etag, isReadOnly })
  const preview = id === null ? null : previewing
  const flaws = previewing.flaws ?? storedFlaws
  const isOutdated = previewing.made !== null && !isSameDocument(previewing.made.of, value)
  const isPipeline = value.type === 'pipeline'
  return (
    <>
      <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
      {id === null && (
        <ChoiceField
          form={{
            ...form,
            set: (_, kind) => form.set('/value', blankCompilableValues[kind as (typeof COMPILABLE_KINDS)[number]]),
          }}
          at="/value/type"
          label={t('kind')}
          choices={COMPILABLE_KINDS.map((option) => ({ value: option, label: t(option) }))}
        />
      )}
      <FieldGroup title={t('parameters')}>
        <ParameterFields form={form} flaws={flaws} isReadOnly={isReadOnly} />
      </FieldGroup>
      {isPipeline ? (
        <PipelineEditor
          form={form}
          flaws={flaws}
          isReadOnly={isReadOnly}
          preview={preview}
          isOld={isOutdated}
          pipeline={value}
        />
      ) : (
        <TextMembers form={form} flaws={flaws} isReadOnly={isReadOnly} />
      )}
      <ScriptFlawList flaws={isPipeline ? flaws.filter(({ path }) => !STEP_POINTERS.test(path)) : flaws} />
      {preview && (
        <CompilablePreviewPanel
          preview={preview}
          isPipeline={isPipeline}
          isOld={isOutdated}
          parameters={value.parameters}
        />
      )}
      <LongTextField form={form} at="/description" label={t('description')} isReadOnly={isReadOnly} />
    </>
  )
}

/** Pointers of flaws that are shown next to their step. */
const STEP_POINTERS = /^\/value\/(?:source|cursors\/\d+)(?:\/|$)/
const FIELD_POINTERS = ['/name', '/description', '/value/output']
const NO_FLAWS: readonly ApiScriptFlaw[] = []

/** The interface's types know the kinds only by name. */
const duplicateCompilable = (id: string) =>
  apiClient.duplicateCompilable({ path: { id } }) as Promise<unknown> as Promise<CompilableForm>

function CompilableEditor({ id, stored: storedDocument }: { id: string; stored: StoredDocument<CompilableForm> }) {
  const t = useTranslator(scriptTexts)
  const isReadOnly = !useHasRight('write')
  const { name, state, stamp } = storedDocument.data
  const resource = useResource(compilableResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteCompilableWhy'),
    done: t('deleted', { name }),
  })
  const flawsQuery = useQuery({
    queryKey: ['compilable', id, 'flaws', storedDocument.etag],
    queryFn: ({ signal }) => apiClient.listCompilableFlaws({ path: { id }, signal }),
    enabled: !resource.isNew,
  })
  return (
    <ResourcePage<CompilableForm>
      {...resource}
      title={resource.isNew ? t('newCompilable') : name}
      parent={{ label: t('compilables'), to: '/compilables' }}
      note={!resource.isNew && <FormattedTime at={stamp.modification} />}
      badge={
        !resource.isNew && (
          <StateBadge tone={state === 'ready' ? 'good' : 'warning'} hint={t(`${state}Why`)}>
            {t(state)}
          </StateBadge>
        )
      }
      stored={storedDocument}
      isReadOnly={isReadOnly}
      {...(!resource.isNew &&
        !isReadOnly && { menu: <DuplicateMenuEntry copy={() => duplicateCompilable(id)} kind={compilableResource} /> })}
      pointers={FIELD_POINTERS}
      aside={
        !resource.isNew && (
          <PagePanel title={t('used')}>
            <WhereUsed path={`compilable/${id}`} load={(signal) => readCompilableUses(id, signal)} />
          </PagePanel>
        )
      }
    >
      {(form) => (
        <CompilableFields
          id={resource.isNew ? null : id}
          etag={storedDocument.etag}
          form={form}
          isReadOnly={isReadOnly}
          flaws={flawsQuery.data ?? NO_FLAWS}
        />
      )}
    </ResourcePage>
  )
}

/** A pipeline of rows, a template or a script with arguments. */
export function CompilablePage() {
  const t = useTranslator(scriptTexts)
  const { id } = route.useParams()
  const compilable = useStoredDocument(compilableResource, id)
  return (
    <DocumentLoader read={compilable} title={t('compilable')} parent={{ label: t('compilables'), to: '/compilables' }}>
      {(storedDocument) => <CompilableEditor key={id} id={id} stored={storedDocument} />}
    </DocumentLoader>
  )
}
