import { ActionIcon, SegmentedControl, Select } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useFields } from '../../../api/definitions.ts'
import { JsonField } from '../../../components/code/JsonField.tsx'
import { useDrops } from '../../../components/design/model/drag.ts'
import type { Form } from '../../../components/form/use-form.ts'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Compilable, Pipeline, Step } from '../compilable-kind.ts'
import { Flaws } from '../Flaws.tsx'
import type { Flaw } from '../flaws.ts'
import type { Previewing } from '../runs/use-preview.ts'
import { scriptTexts } from '../texts.ts'
import { type Desk, DeskProvider } from './desk.ts'
import { STEPS, type StepKind } from './kinds.ts'
import styles from './Pipeline.module.css'
import { usePipelines } from './SourceFields.tsx'
import { flawsBelow, RowsOf, type StepActs, StepCard } from './StepCard.tsx'
import { SourceField } from './StepFields.tsx'
import { type Undo, useUndo } from './use-undo.ts'

interface Props {
  form: Form<Compilable>
  pipeline: Pipeline
  flaws: readonly Flaw[]
  isReadOnly: boolean
  /** Null: it is not stored yet. */
  preview: Previewing | null
  isOld: boolean
}

const CURSORS = '/value/cursors'

/** Goes to something once it is drawn. */
const focusOn = (...ids: readonly string[]): void => {
  requestAnimationFrame(() => {
    const found = ids.map((id) => document.getElementById(id)).find((one) => one && !one.matches(':disabled'))
    found?.focus()
  })
}

/** Steps are added, moved, copied and removed; where a step goes, the focus goes. */
function useSteps(form: Form<Compilable>, pipeline: Pipeline) {
  const t = useText(scriptTexts)
  const { cursors } = pipeline
  const set = (next: readonly Step[]): void => form.set(CURSORS, next)
  const latest = useRef({ cursors, set })
  latest.current = { cursors, set }
  const move = (from: number, to: number): void => {
    const step = cursors[from]
    if (step && to !== from) set(cursors.toSpliced(from, 1).toSpliced(to, 0, step))
  }
  return {
    move,
    add: (kind: StepKind) => {
      set([...cursors, STEPS[kind]])
      focusOn(`step-${cursors.length}`)
    },
    actsOf: (place: number): StepActs => ({
      change: (kind) => form.set(`${CURSORS}/${place}`, STEPS[kind]),
      move: (by) => {
        move(place, place + by)
        const [same, other] = by < 0 ? ['up', 'down'] : ['down', 'up']
        focusOn(`step-${place + by}-${same}`, `step-${place + by}-${other}`)
      },
      copy: () => {
        set(cursors.toSpliced(place + 1, 0, structuredClone(cursors[place] as Step)))
        focusOn(`step-${place + 1}`)
      },
      remove: () => {
        const step = cursors[place] as Step
        set(cursors.toSpliced(place, 1))
        tell(t('stepRemoved', { place: place + 1 }), () =>
          latest.current.set(latest.current.cursors.toSpliced(place, 0, step)),
        )
        focusOn(`step-${place}`, `step-${place - 1}`, 'step-source')
      },
    }),
  }
}

/** What every field needs: flaws, and what paths may name. */
function useDeskOf({ pipeline, flaws, isReadOnly }: Props, form: Form<Compilable>): Desk {
  const fields = useFields().data
  const pipelines = usePipelines(form.value.id)
  const argumentPaths = useMemo(
    () => pipeline.parameters.flatMap(({ name }) => (name ? [`arguments.${name}`] : [])),
    [pipeline.parameters],
  )
  return {
    ...{ form, flaws, isReadOnly, argumentPaths },
    known: {
      fields: (fields ?? []).map(({ name }) => name),
      pipelineOf: (id) => pipelines.find((one) => one.id === id)?.value as Pipeline | undefined,
    },
  }
}

function Tools({
  isSource,
  onSource,
  history,
  isReadOnly,
}: {
  isSource: boolean
  onSource(on: boolean): void
  history: Undo
  isReadOnly: boolean
}) {
  const t = useText(scriptTexts)
  return (
    <div className={styles['tools']}>
      <SegmentedControl
        size="xs"
        aria-label={t('shownAs')}
        data={[
          { value: 'steps', label: t('steps') },
          { value: 'source', label: t('sourceText') },
        ]}
        value={isSource ? 'source' : 'steps'}
        onChange={(next) => onSource(next === 'source')}
      />
      {!isReadOnly && (
        <div className={styles['buttons']}>
          <ActionIcon aria-label={t('undo')} disabled={!history.canUndo} onClick={history.undo}>
            <IconArrowBackUp size={16} />
          </ActionIcon>
          <ActionIcon aria-label={t('redo')} disabled={!history.canRedo} onClick={history.redo}>
            <IconArrowForwardUp size={16} />
          </ActionIcon>
        </div>
      )}
    </div>
  )
}

/** Fields undo what is typed into them by themselves. */
const isTyped = (target: EventTarget): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [readonly]), textarea'))

function Steps(props: Props) {
  const { pipeline, form, flaws, isReadOnly, preview, isOld } = props
  const t = useText(scriptTexts)
  const steps = useSteps(form, pipeline)
  const root = useRef<HTMLDivElement>(null)
  const latest = useRef(steps.move)
  latest.current = steps.move
  const drop = useCallback((dragged: object, [to = 0]: readonly number[]) => {
    const from = 'from' in dragged ? (dragged.from as readonly number[])[0] : undefined
    if (from !== undefined) latest.current(from, to > from ? to - 1 : to)
  }, [])
  useDrops(root, drop)
  const own = flawsBelow(flaws, '/value/source')
  const isWrong = own.some(({ severity }) => severity === 'error')
  return (
    <div ref={root} className={styles['stack']}>
      <ol className={styles['steps']} aria-label={t('steps')} data-design-canvas>
        <li
          id="step-source"
          tabIndex={-1}
          className={styles['step']}
          aria-label={t('source')}
          data-fault={isWrong || undefined}
        >
          <SourceField at="/value/source" label={t('source')} />
          <Flaws flaws={own} />
          {preview && <RowsOf steps={0} label={t('source')} preview={preview} isOld={isOld} />}
        </li>
        {pipeline.cursors.map((_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place.
          <StepCard key={place} {...{ place, pipeline, preview, isOld }} acts={steps.actsOf(place)} />
        ))}
      </ol>
      {!isReadOnly && (
        <Select
          size="xs"
          w={260}
          aria-label={t('addStep')}
          placeholder={t('addStep')}
          leftSection={<IconPlus size={14} aria-hidden />}
          data={(Object.keys(STEPS) as StepKind[]).map((one) => ({ value: one, label: t(`step_${one}`) }))}
          value={null}
          onChange={(kind) => kind !== null && steps.add(kind as StepKind)}
        />
      )}
    </div>
  )
}

/** The source and the steps of a pipeline as forms, or as its source text. */
export function PipelineEditor(props: Props) {
  const { isReadOnly } = props
  const t = useText(scriptTexts)
  const [isSource, setSource] = useState(false)
  const history = useUndo(props.form)
  const { form, undo, redo } = history
  const desk = useDeskOf(props, form)
  const onKeyDown = (event: KeyboardEvent): void => {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z'
    if (!isUndo || isReadOnly || event.defaultPrevented || isTyped(event.target)) return
    event.preventDefault()
    if (event.shiftKey) redo()
    else undo()
  }
  return (
    <DeskProvider value={desk}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of what is within. */}
      <div className={styles['stack']} onKeyDown={onKeyDown}>
        <Tools isSource={isSource} onSource={setSource} history={history} isReadOnly={isReadOnly} />
        {isSource ? (
          <JsonField form={form} at="/value" label={t('sourceText')} minHeight={260} readOnly={isReadOnly} />
        ) : (
          <Steps {...props} form={form} />
        )}
      </div>
    </DeskProvider>
  )
}
