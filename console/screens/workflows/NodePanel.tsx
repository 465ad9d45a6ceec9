import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { TextField } from '../../parts/form/fields.tsx'
import type { Form } from '../../parts/form/use-form.ts'
import { Num } from '../../parts/Num.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Sheet } from '../../parts/Sheet.tsx'
import { useText } from '../../text/catalogue.ts'
import type { Draft, Flaw } from './calls.ts'
import { connected, outputsOf, type Step, withEntry } from './model/graph.ts'
import { KINDS } from './model/kinds.ts'
import { JsonField, SettingField } from './settings-fields.tsx'
import { workflowTexts } from './texts.ts'
import { outputWords, typeWords } from './type-words.ts'
import styles from './Workflows.module.css'

interface Props {
  workflow: string
  form: Form<Draft>
  step: Step
  flaws: readonly Flaw[]
  isReadOnly: boolean
}

/** Where a node leads, way by way. */
function Ways({ form, step, isReadOnly }: Omit<Props, 'workflow' | 'flaws'>) {
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
  const found = useQuery({
    queryKey: ['workflow-experiment', workflow, node],
    queryFn: ({ signal }) =>
      data(
        api.GET('/scripting/workflows/{id}/nodes/{node}/experiment', {
          params: { path: { id: workflow, node } },
          signal,
        }),
      ),
  })
  if (found.error) return <Problem error={found.error} />
  if (!found.data) return null
  return (
    <Sheet label={t('results')}>
      <thead>
        <tr>
          <th>{t('branch')}</th>
          <th>{t('visits')}</th>
          <th>{t('rate')}</th>
          <th>{t('best')}</th>
        </tr>
      </thead>
      <tbody>
        {found.data.branches.map(({ id, visits, rate, probability }) => (
          <tr key={id}>
            <td>{id}</td>
            <td>
              <Num value={visits} />
            </td>
            <td>{rate !== null && <Num value={rate} percent />}</td>
            <td>
              <Num value={probability} percent />
            </td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  )
}

/** What a node does: name, settings, where it leads. */
export function NodePanel({ workflow, form, step, flaws, isReadOnly }: Props) {
  const t = useText(workflowTexts)
  const index = form.value.nodes.findIndex(({ id }) => id === step.id)
  const base = `/nodes/${index}`
  const known = KINDS[step.type]?.settings
  return (
    <Panel title={typeWords(t, step.type)} tools={<code>{step.id}</code>}>
      <div className={styles['fields']}>
        {flaws.map(({ message, path }) => (
          <p key={message + path} className={styles['fault']}>
            {message}
          </p>
        ))}
        <TextField form={form} at={`${base}/name`} label={t('name')} isReadOnly={isReadOnly} />
        {known?.map((setting) => (
          <SettingField key={`${step.id}${setting.at}`} {...{ setting, base, form, isReadOnly }} />
        ))}
        {!known && <JsonField form={form} at={`${base}/settings`} label={t('settings')} isReadOnly={isReadOnly} />}
        <Ways form={form} step={step} isReadOnly={isReadOnly} />
        {!isReadOnly && step.default !== true && (
          <Button
            variant="default"
            size="xs"
            onClick={() => form.change({ ...form.value, nodes: withEntry(form.value.nodes, step.id) })}
          >
            {t('makeEntry')}
          </Button>
        )}
        {step.type === 'experiment' && <Experiment workflow={workflow} node={step.id} />}
      </div>
    </Panel>
  )
}
