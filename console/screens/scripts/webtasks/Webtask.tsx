import { Checkbox } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useMay } from '../../../api/me.ts'
import { CodeEditor, type Fault } from '../../../components/code/CodeEditor.tsx'
import { FieldGroup, LongTextField, NumberField, SwitchField, TextField } from '../../../components/form/fields.tsx'
import { Loaded } from '../../../components/form/Loaded.tsx'
import { ResourcePage } from '../../../components/form/ResourcePage.tsx'
import type { Form, Stored } from '../../../components/form/use-form.ts'
import { NEW, useResource, useStored } from '../../../components/form/use-resource.ts'
import { Page, type Tab } from '../../../components/layout/Page.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Time } from '../../../components/Time.tsx'
import { WhereUsed } from '../../../components/where-used/WhereUsed.tsx'
import { pathOf } from '../../../paths.ts'
import { useText } from '../../../text/catalogue.ts'
import { Allowed } from '../Allowed.tsx'
import { Duplicate } from '../Duplicate.tsx'
import { Flaws } from '../Flaws.tsx'
import { faultsOf } from '../flaws.ts'
import { Run } from '../runs/Run.tsx'
import { Runs } from '../runs/Runs.tsx'
import { scriptTexts } from '../texts.ts'
import { useFlaws } from '../use-flaws.ts'
import { usesOfWebtask } from '../uses.ts'
import { hostWords, moduleWords } from './host-words.ts'
import { Tokens } from './Tokens.tsx'
import { copyOf, type Webtask as Document, hasSecrets, webtaskKind } from './webtask-kind.ts'

const route = getRouteApi('/webtasks/$id')

interface MembersProps {
  form: Form<Document>
  isReadOnly: boolean
}

interface ScriptProps extends MembersProps {
  id: string
  /** Where the last run ended. */
  ended: Fault | null
}

/** The script with what is wrong in it: as the service finds it while it is written, and where the last run ended. */
function Script({ form, isReadOnly, id, ended }: ScriptProps) {
  const t = useText(scriptTexts)
  const flaws = useFlaws(id, form, isReadOnly)
  const faults = useMemo(() => [...faultsOf(flaws, '/value'), ...(ended ? [ended] : [])], [flaws, ended])
  const { capabilities } = form.value.scripting.environment
  const { imports } = form.value.scripting
  const completions = useMemo(() => {
    const names = ((imports ?? []) as readonly { name?: unknown }[]).map(({ name }) => String(name ?? ''))
    const words = hostWords(capabilities ?? [], (capability) => t('notGranted', { capability }))
    return { words: [...words, ...moduleWords(names)] }
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
        faults={faults}
        readOnly={isReadOnly}
      />
      <Flaws flaws={flaws} />
    </>
  )
}

function Settings({ form, isReadOnly }: MembersProps) {
  const t = useText(scriptTexts)
  const common = { form, isReadOnly }
  const { methods } = form.value.settings.public
  return (
    <FieldGroup title={t('settings')}>
      <NumberField {...common} at="/settings/cpuMs" label={t('cpu')} unit="ms" min={10} max={1000} />
      <NumberField {...common} at="/settings/wallMs" label={t('wall')} unit="ms" min={100} max={30_000} />
      <SwitchField {...common} at="/settings/logs" label={t('keepLogs')} />
      <SwitchField {...common} at="/settings/public/enabled" label={t('public')} help={t('publicHelp')} />
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

function Members({ id, form, isReadOnly, isNew }: MembersProps & { id: string; isNew: boolean }) {
  const t = useText(scriptTexts)
  const [ended, setEnded] = useState<{ fault: Fault; in: string } | null>(null)
  // A place in a text that was changed since is none.
  const isThere = ended !== null && ended.in === form.value.value
  const keepFault = (fault: Fault | null): void => setEnded(fault && { fault, in: form.value.value })
  return (
    <>
      <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
      <Script id={id} form={form} isReadOnly={isReadOnly} ended={isThere ? ended.fault : null} />
      {!isNew && <Run id={id} form={form} isReadOnly={isReadOnly} onFault={keepFault} />}
      <FieldGroup title={t('allowed')}>
        <Allowed form={form} at="/scripting" isReadOnly={isReadOnly} />
      </FieldGroup>
      <Settings form={form} isReadOnly={isReadOnly} />
      <LongTextField form={form} at="/description" label={t('description')} isReadOnly={isReadOnly} />
    </>
  )
}

const POINTERS = [
  ...['/name', '/description', '/value', '/settings/cpuMs', '/settings/wallMs', '/scripting/imports'],
  ...['/scripting/environment/capabilities', '/scripting/environment/http/allow', '/scripting/environment/variables'],
]

interface EditProps {
  id: string
  stored: Stored<Document>
  tabs: readonly Tab[]
}

function Edit({ id, stored, tabs }: EditProps) {
  const t = useText(scriptTexts)
  const isReadOnly = !useMay('write')
  const { name, updateDate } = stored.data
  const resource = useResource(webtaskKind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<Document>
      {...resource}
      title={resource.isNew ? t('newWebtask') : name}
      parent={{ label: t('webtasks'), to: '/webtasks' }}
      note={!resource.isNew && <Time at={updateDate} />}
      stored={stored}
      isReadOnly={isReadOnly}
      {...(!resource.isNew &&
        !isReadOnly && {
          menu: <Duplicate kind={webtaskKind} copy={() => copyOf(stored.data)} hasSecrets={hasSecrets(stored.data)} />,
        })}
      tabs={tabs}
      pointers={POINTERS}
      aside={
        !resource.isNew && (
          <Panel title={t('used')}>
            <WhereUsed path={`webtask/${id}`} load={(signal) => usesOfWebtask(Number(id), signal)} />
          </Panel>
        )
      }
    >
      {(form) => <Members id={id} form={form} isReadOnly={isReadOnly} isNew={resource.isNew} />}
    </ResourcePage>
  )
}

/** A script of the account: its text, its runs, its tokens. */
export function Webtask() {
  const t = useText(scriptTexts)
  const { id } = route.useParams()
  const { tab } = route.useSearch()
  const mayWrite = useMay('write')
  const webtask = useStored(webtaskKind, id)
  const parent = { label: t('webtasks'), to: '/webtasks' }
  const to = pathOf.webtask(id)
  const tabs: Tab[] = [
    { label: t('script'), to, search: {}, isOpen: tab === undefined },
    { label: t('runs'), to, search: { tab: 'runs' }, isOpen: tab === 'runs' },
    ...(mayWrite ? [{ label: t('tokens'), to, search: { tab: 'tokens' }, isOpen: tab === 'tokens' }] : []),
  ]
  return (
    <Loaded read={webtask} title={t('webtask')} parent={parent}>
      {(stored) =>
        tab === undefined || id === NEW ? (
          <Edit key={id} id={id} stored={stored} tabs={id === NEW ? [] : tabs} />
        ) : (
          <Page title={stored.data.name} parent={parent} tabs={tabs}>
            {tab === 'runs' && <Runs id={id} />}
            {tab === 'tokens' && mayWrite && <Tokens id={id} isPublic={stored.data.settings.public.enabled} />}
          </Page>
        )
      }
    </Loaded>
  )
}
