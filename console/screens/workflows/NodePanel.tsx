import { Button, Group, Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { TextField } from '../../components/form/fields.tsx'
import type { Form } from '../../components/form/use-form.ts'
import { Defined } from '../../components/layout/Defined.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Sheet } from '../../components/layout/Sheet.tsx'
import { Stat, Stats } from '../../components/layout/Stat.tsx'
import { Num } from '../../components/Num.tsx'
import { useText } from '../../text/catalogue.ts'
import type { Draft, Flaw, Statistics } from './calls.ts'
import { JsonField } from './fields/JsonField.tsx'
import { FlawsContext } from './fields/node-form.ts'
import { SettingField } from './fields/SettingField.tsx'
import { connected, outputsOf, type Step, withEntry } from './model/graph.ts'
import { KINDS } from './model/kinds.ts'
import { experimentQuery } from './runs/use-experiments.ts'
import { workflowTexts } from './texts.ts'
import { outputWords, typeWords } from './type-words.ts'
import styles from './Workflows.module.css'

type Counted = Statistics['nodes'][number]

interface Props {
  workflow: string
  form: Form<Draft>
  step: Step
  counts: Counted | undefined
  flaws: readonly Flaw[]
  isReadOnly: boolean
}

/** Where a node leads, way by way. */
function Ways({ form, step, isReadOnly }: Pick<Props, 'form' | 'step' | 'isReadOnly'>) {
  const t = useText(workflowTexts)
  const { nodes } = form.value
  const targets = nodes.map(({ id, name, type }) => ({ value: id, label: name || `${typeWords(t, type)} (${id})` }))
  return outputsOf(step).map(({ at, label, target }) => (
    <Select
      key={at}
      label={outputWords(t, label)}
      placeholder={t('nowhere')}
      data={targets}
      searchable
      clearable
      readOnly={isReadOnly}
      value={target}
      onChange={(next) => form.change({ ...form.value, nodes: connected(nodes, step.id, at, next) })}
    />
  ))
}

function Experiment({ workflow, node }: { workflow: string; node: string }) {
  const t = useText(workflowTexts)
  const found = useQuery(experimentQuery(workflow, node))
  if (found.error) return <Problem error={found.error} />
  if (!found.data) return null
  const { branches, holdout } = found.data
  return (
    <Sheet label={t('results')}>
      <thead>
        <tr>
          <th>{t('branch')}</th>
          <th>
            <Defined definition={t('visitsWhy')}>{t('visits')}</Defined>
          </th>
          <th>
            <Defined definition={t('rateWhy')}>{t('rate')}</Defined>
          </th>
          <th>
            <Defined definition={t('bestWhy')}>{t('best')}</Defined>
          </th>
        </tr>
      </thead>
      <tbody>
        {[
          ...branches,
          ...(holdout.visits > 0 ? [{ ...holdout, id: t('out-holdoutNext'), probability: null }] : []),
        ].map(({ id, visits, rate, probability }) => (
          <tr key={id}>
            <td>{id}</td>
            <td>
              <Num value={visits} />
            </td>
            <td>{rate !== null && <Num value={rate} percent />}</td>
            <td>{probability !== null && <Num value={probability} percent />}</td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  )
}

const COUNTS = ['entered', 'current', 'left', 'failed', 'retried', 'capped'] as const

/** What runs did at a node. */
function Counts({ counts }: { counts: Counted }) {
  const t = useText(workflowTexts)
  const shown = COUNTS.filter((name) => counts[name] > 0)
  if (shown.length === 0) return null
  return (
    <Stats>
      {shown.map((name) => (
        <Stat key={name} label={t(`at-${name}`)} definition={t(`at-${name}-why`)}>
          <Num value={counts[name]} />
        </Stat>
      ))}
    </Stats>
  )
}

/** Flaws of a node as it was stored, at its place of now. */
const placed = (flaws: readonly Flaw[], base: string): Flaw[] =>
  flaws.map((flaw) => ({ ...flaw, path: flaw.path.replace(/^\/nodes\/\d+/, base) }))

function Settings({ form, base, step, isReadOnly }: { base: string } & Pick<Props, 'form' | 'step' | 'isReadOnly'>) {
  const t = useText(workflowTexts)
  const known = KINDS[step.type]
  if (!known) return <JsonField form={form} at={`${base}/settings`} label={t('settings')} isReadOnly={isReadOnly} />
  return (
    <>
      {known.own?.map((setting) => (
        <SettingField key={setting.at} {...{ setting, base, form, isReadOnly }} />
      ))}
      {known.settings.map((setting) => (
        <SettingField key={setting.at + setting.as} {...{ setting, form, isReadOnly }} base={`${base}/settings`} />
      ))}
    </>
  )
}

/** What a node does: name, settings, where it leads; and what runs did there. */
export function NodePanel({ workflow, form, step, counts, flaws, isReadOnly }: Props) {
  const t = useText(workflowTexts)
  const [isSource, setSource] = useState(false)
  const base = `/nodes/${form.value.nodes.findIndex(({ id }) => id === step.id)}`
  const own = useMemo(() => placed(flaws, base), [flaws, base])
  return (
    <Panel title={typeWords(t, step.type)} tools={<code>{step.id}</code>}>
      <div className={styles['fields']}>
        {counts && <Counts counts={counts} />}
        {step.type === 'experiment' && counts && <Experiment workflow={workflow} node={step.id} />}
        {flaws.map(({ message, path }) => (
          <p key={message + path} className={styles['fault']}>
            {message}
          </p>
        ))}
        <FlawsContext value={own}>
          <TextField form={form} at={`${base}/name`} label={t('name')} isReadOnly={isReadOnly} />
          {isSource ? (
            <JsonField form={form} at={`${base}/settings`} label={t('settings')} isReadOnly={isReadOnly} />
          ) : (
            <Settings {...{ form, base, step, isReadOnly }} />
          )}
        </FlawsContext>
        <Ways form={form} step={step} isReadOnly={isReadOnly} />
        <Group justify="space-between">
          <Switch label={t('source')} checked={isSource} onChange={(event) => setSource(event.currentTarget.checked)} />
          {!isReadOnly && step.default !== true && (
            <Button
              variant="default"
              size="xs"
              onClick={() => form.change({ ...form.value, nodes: withEntry(form.value.nodes, step.id) })}
            >
              {t('makeEntry')}
            </Button>
          )}
        </Group>
      </div>
    </Panel>
  )
}
