import { ActionIcon, Button, SegmentedControl, Select } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Form } from '../../parts/form/use-form.ts'
import { useText } from '../../text/catalogue.ts'
import type { Compilable, Pipeline, Step } from './compilable-kind.ts'
import { Flaws } from './Flaws.tsx'
import type { Flaw } from './flaws.ts'
import { JsonField, JsonText } from './JsonField.tsx'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

interface Props {
  form: Form<Compilable>
  pipeline: Pipeline
  flaws: readonly Flaw[]
  isReadOnly: boolean
}

const path = (value: string) => ({ type: 'path', value })

/** What a step of each kind begins with. */
const steps: Readonly<Record<string, Step>> = {
  filter: {
    ...{ type: 'filter' },
    condition: { type: 'compare', left: path('row.fields.Age'), operator: 'greaterOrEqual', right: 18 },
  },
  map: { type: 'map', fields: { id: path('row.id') } },
  sort: { type: 'sort', by: [{ value: path('row.id'), direction: 'desc' }] },
  distinct: { type: 'distinct', by: [path('row.id')] },
  limit: { type: 'limit', count: 10 },
  group: { type: 'group', by: {}, aggregates: { count: { function: 'count' } } },
  join: {
    ...{ type: 'join', source: { type: 'targets' }, into: 'other' },
    on: { left: path('row.contact'), right: path('other.id') },
  },
  expand: { type: 'expand', value: path('row.items'), into: 'item' },
  script: { type: 'script', value: '(rows, context) => rows' },
}

const sources: Readonly<Record<string, Step>> = {
  targets: { type: 'targets' },
  segment: { type: 'segment', segment: 1 },
  events: { type: 'events', types: ['action.hit'] },
  valueList: { type: 'valueList', id: 1 },
  inline: { type: 'inline', rows: [{ name: 'Ann' }] },
  compilable: { type: 'compilable', id: '', arguments: {} },
}

interface LineProps {
  label: string
  step: Step
  kinds: Readonly<Record<string, Step>>
  flaws: readonly Flaw[]
  isReadOnly: boolean
  onChange(step: Step): void
  children?: ReactNode
}

/** A step: its kind, its members as JSON, what is wrong with it. */
function Line({ label, step, kinds, flaws, isReadOnly, onChange, children }: LineProps) {
  const t = useText(scriptTexts)
  const { type, ...members } = step
  return (
    <li data-fault={flaws.some(({ severity }) => severity === 'error') || undefined}>
      <div className={styles['line']}>
        <small>{label}</small>
        <Select
          size="xs"
          aria-label={t('kindOf', { step: label })}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={Object.keys(kinds)}
          value={type}
          onChange={(next) => next && next !== type && onChange(kinds[next] ?? { type: next })}
        />
        {!isReadOnly && children}
      </div>
      {Object.keys(members).length > 0 && (
        <JsonText
          key={type}
          isLabelHidden
          label={t('membersOf', { step: label })}
          minHeight={36}
          value={members}
          readOnly={isReadOnly}
          onChange={(next) => onChange({ ...(next as Record<string, unknown>), type })}
        />
      )}
      <Flaws flaws={flaws} />
    </li>
  )
}

function StepList({ form, pipeline, flaws, isReadOnly }: Props) {
  const t = useText(scriptTexts)
  const { source, cursors } = pipeline
  const set = (next: readonly Step[]): void => form.set('/value/cursors', next)
  const move = (from: number, to: number): void =>
    set(cursors.toSpliced(from, 1).toSpliced(to, 0, cursors[from] ?? { type: 'limit' }))
  const below = (at: string): Flaw[] => flaws.filter(({ path: of }) => of === at || of.startsWith(`${at}/`))
  return (
    <ol className={styles['steps']} aria-label={t('steps')}>
      <Line
        label={t('source')}
        step={source}
        kinds={sources}
        flaws={below('/value/source')}
        isReadOnly={isReadOnly}
        onChange={(next) => form.set('/value/source', next)}
      />
      {cursors.map((step, place) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place.
          key={place}
          label={t('step', { place: place + 1 })}
          step={step}
          kinds={steps}
          flaws={below(`/value/cursors/${place}`)}
          isReadOnly={isReadOnly}
          onChange={(next) => set(cursors.with(place, next))}
        >
          <ActionIcon
            aria-label={t('up', { place: place + 1 })}
            disabled={place === 0}
            onClick={() => move(place, place - 1)}
          >
            <IconArrowUp size={15} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('down', { place: place + 1 })}
            disabled={place === cursors.length - 1}
            onClick={() => move(place, place + 1)}
          >
            <IconArrowDown size={15} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('removeStep', { place: place + 1 })}
            onClick={() => set(cursors.toSpliced(place, 1))}
          >
            <IconX size={15} />
          </ActionIcon>
        </Line>
      ))}
    </ol>
  )
}

/** The steps of a pipeline, one by one or as JSON. */
export function Steps(props: Props) {
  const { form, pipeline, isReadOnly } = props
  const t = useText(scriptTexts)
  const [isJson, setJson] = useState(false)
  return (
    <div className={styles['stack']}>
      <SegmentedControl
        size="xs"
        style={{ justifySelf: 'start' }}
        aria-label={t('shownAs')}
        data={[
          { value: 'steps', label: t('steps') },
          { value: 'json', label: t('json') },
        ]}
        value={isJson ? 'json' : 'steps'}
        onChange={(next) => setJson(next === 'json')}
      />
      {isJson ? (
        <JsonField form={form} at="/value" label={t('pipeline')} minHeight={260} readOnly={isReadOnly} />
      ) : (
        <>
          <StepList {...props} />
          {!isReadOnly && (
            <div>
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => form.set('/value/cursors', [...pipeline.cursors, steps['filter']])}
              >
                {t('addStep')}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  )
}
