import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { CodeEditor } from '../../components/code/CodeEditor.tsx'
import { ChoiceField, FieldGroup, LongTextField, TextField } from '../../components/form/fields.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { isSame } from '../../components/form/pointers.ts'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Form, Stored } from '../../components/form/use-form.ts'
import { useResource, useStored } from '../../components/form/use-resource.ts'
import { Panel } from '../../components/layout/Panel.tsx'
import { Time } from '../../components/Time.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { useText } from '../../text/catalogue.ts'
import { Allowed } from './Allowed.tsx'
import { beginnings, compilableKind, type Compilable as Document } from './compilable-kind.ts'
import { Duplicate } from './Duplicate.tsx'
import { Flaws } from './Flaws.tsx'
import { type Flaw, faultsOf } from './flaws.ts'
import { PipelineEditor } from './pipeline/PipelineEditor.tsx'
import { Parameters } from './runs/Parameters.tsx'
import { Preview } from './runs/Preview.tsx'
import { usePreview } from './runs/use-preview.ts'
import { scriptTexts } from './texts.ts'
import { usesOfCompilable } from './uses.ts'
import { hostWords } from './webtasks/host-words.ts'

const route = getRouteApi('/compilables/$id')

const KINDS = ['pipeline', 'template', 'script'] as const

interface MembersProps {
  form: Form<Document>
  flaws: readonly Flaw[]
  isReadOnly: boolean
}

/** The text of a template or a script. */
function Text({ form, flaws, isReadOnly }: MembersProps) {
  const t = useText(scriptTexts)
  const { value } = form.value
  const isTemplate = value.type === 'template'
  const faults = useMemo(() => faultsOf(flaws, '/value/value'), [flaws])
  const completions = useMemo(() => {
    const names = value.parameters.map(({ name }) => name ?? '').filter((name) => name !== '')
    return {
      words: hostWords([], (capability) => t('notGranted', { capability })),
      variables: [{ label: 'arguments', type: 'variable' as const }],
      properties: ([root]: readonly string[]) => (root === 'arguments' ? names.map((label) => ({ label })) : []),
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
          choices={['text', 'html', 'json'].map((one) => ({ value: one, label: one }))}
        />
      )}
      <CodeEditor
        language={isTemplate ? 'liquid' : 'javascript'}
        label={t(isTemplate ? 'template' : 'script')}
        minHeight={220}
        value={value.value}
        onChange={(next) => form.set('/value/value', next)}
        completions={completions}
        faults={faults}
        readOnly={isReadOnly}
      />
      {value.type === 'script' && <Allowed form={form} at="/value/scripting" isReadOnly={isReadOnly} />}
    </>
  )
}

interface EditingProps extends MembersProps {
  id: string | null
  etag: string | null
}

function Members({ id, form, isReadOnly, flaws: stored, etag }: EditingProps) {
  const t = useText(scriptTexts)
  const { value } = form.value
  const previewing = usePreview({ id: id ?? '', form, etag, isReadOnly })
  const preview = id === null ? null : previewing
  const flaws = previewing.flaws ?? stored
  const isOld = previewing.made !== null && !isSame(previewing.made.of, value)
  const isPipeline = value.type === 'pipeline'
  return (
    <>
      <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
      {id === null && (
        <ChoiceField
          form={{ ...form, set: (_, kind) => form.set('/value', beginnings[kind as (typeof KINDS)[number]]) }}
          at="/value/type"
          label={t('kind')}
          choices={KINDS.map((one) => ({ value: one, label: t(one) }))}
        />
      )}
      <FieldGroup title={t('parameters')}>
        <Parameters form={form} flaws={flaws} isReadOnly={isReadOnly} />
      </FieldGroup>
      {isPipeline ? (
        <PipelineEditor {...{ form, flaws, isReadOnly, preview, isOld }} pipeline={value} />
      ) : (
        <Text form={form} flaws={flaws} isReadOnly={isReadOnly} />
      )}
      <Flaws flaws={isPipeline ? flaws.filter(({ path }) => !IN_STEPS.test(path)) : flaws} />
      {preview && <Preview {...{ preview, isPipeline, isOld }} parameters={value.parameters} />}
      <LongTextField form={form} at="/description" label={t('description')} isReadOnly={isReadOnly} />
    </>
  )
}

/** Pointers whose flaws stand beside the step that has them. */
const IN_STEPS = /^\/value\/(?:source|cursors\/\d+)(?:\/|$)/
const POINTERS = ['/name', '/description', '/value/output']
const NONE: readonly Flaw[] = []

/** The interface's types know the kinds only by name. */
const copyOf = (id: string) =>
  data(
    api.POST('/scripting/compilables/{id}/duplication', { params: { path: { id } } }),
  ) as Promise<unknown> as Promise<Document>

function Edit({ id, stored }: { id: string; stored: Stored<Document> }) {
  const t = useText(scriptTexts)
  const isReadOnly = !useMay('write')
  const { name, state, stamp } = stored.data
  const resource = useResource(compilableKind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteCompilableWhy'),
    done: t('deleted', { name }),
  })
  const flaws = useQuery({
    queryKey: ['compilable', id, 'flaws', stored.etag],
    queryFn: ({ signal }) => data(api.GET('/scripting/compilables/{id}/flaws', { params: { path: { id } }, signal })),
    enabled: !resource.isNew,
  })
  return (
    <ResourcePage<Document>
      {...resource}
      title={resource.isNew ? t('newCompilable') : name}
      parent={{ label: t('compilables'), to: '/compilables' }}
      note={!resource.isNew && <Time at={stamp.modification} />}
      badge={
        !resource.isNew && (
          <Badge tone={state === 'ready' ? 'good' : 'warning'} hint={t(`${state}Why`)}>
            {t(state)}
          </Badge>
        )
      }
      stored={stored}
      isReadOnly={isReadOnly}
      {...(!resource.isNew && !isReadOnly && { menu: <Duplicate copy={() => copyOf(id)} kind={compilableKind} /> })}
      pointers={POINTERS}
      aside={
        !resource.isNew && (
          <Panel title={t('used')}>
            <WhereUsed path={`compilable/${id}`} load={(signal) => usesOfCompilable(id, signal)} />
          </Panel>
        )
      }
    >
      {(form) => (
        <Members
          id={resource.isNew ? null : id}
          etag={stored.etag}
          form={form}
          isReadOnly={isReadOnly}
          flaws={flaws.data ?? NONE}
        />
      )}
    </ResourcePage>
  )
}

/** A pipeline of rows, a template or a script with arguments. */
export function Compilable() {
  const t = useText(scriptTexts)
  const { id } = route.useParams()
  const compilable = useStored(compilableKind, id)
  return (
    <Loaded read={compilable} title={t('compilable')} parent={{ label: t('compilables'), to: '/compilables' }}>
      {(stored) => <Edit key={id} id={id} stored={stored} />}
    </Loaded>
  )
}
