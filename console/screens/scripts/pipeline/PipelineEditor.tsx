import { ActionIcon, SegmentedControl, Select } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useContactFields } from '../../../api/definitions.ts'
import { FormJsonField } from '../../../components/code/FormJsonField.tsx'
import { useDesignDrops } from '../../../components/design/model/drag.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { CompilableForm, CompilablePipeline, PipelineStepForm } from '../compilable-kind.ts'
import type { ApiScriptFlaw } from '../flaws.ts'
import type { CompilablePreviewState } from '../runs/use-preview.ts'
import { ScriptFlawList } from '../ScriptFlawList.tsx'
import { scriptTexts } from '../texts.ts'
import { type PipelineEditorContext, PipelineEditorProvider } from './desk.ts'
import { BLANK_PIPELINE_STEPS, type PipelineStepKind } from './kinds.ts'
import styles from './Pipeline.module.css'
import { usePipelines } from './PipelineSourceFields.tsx'
import { filterFlawsBelow, PipelineStepCard, type PipelineStepCommands, PipelineStepRows } from './PipelineStepCard.tsx'
import { PipelineSourceField } from './PipelineStepFields.tsx'
import { type PipelineUndo, usePipelineUndo } from './use-undo.ts'

interface Props {
  form: FormState<CompilableForm>
  pipeline: CompilablePipeline
  flaws: readonly ApiScriptFlaw[]
  isReadOnly: boolean
  /** Null: it is not stored yet. */
  preview: CompilablePreviewState | null
  isOld: boolean
}

const CURSORS_POINTER = '/value/cursors'

/** Goes to something once it is drawn. */
const focusFirstOf = (...ids: readonly string[]): void => {
  requestAnimationFrame(() => {
    const focusTarget = ids
      .map((id) => document.getElementById(id))
      .find((candidate) => candidate && !candidate.matches(':disabled'))
    focusTarget?.focus()
  })
}

/** Steps are added, moved, copied and removed; where a step goes, the focus goes. */
function usePipelineSteps(form: FormState<CompilableForm>, pipeline: CompilablePipeline) {
  const t = useTranslator(scriptTexts)
  const { cursors } = pipeline
  const setSteps = (next: readonly PipelineStepForm[]): void => form.set(CURSORS_POINTER, next)
  const latestSteps = useRef({ cursors, set: setSteps })
  latestSteps.current = { cursors, set: setSteps }
  const moveStep = (from: number, to: number): void => {
    const step = cursors[from]
    if (step && to !== from) setSteps(cursors.toSpliced(from, 1).toSpliced(to, 0, step))
  }
  return {
    move: moveStep,
    add: (kind: PipelineStepKind) => {
      setSteps([...cursors, BLANK_PIPELINE_STEPS[kind]])
      focusFirstOf(`step-${cursors.length}`)
    },
    actsOf: (place: number): PipelineStepCommands => ({
      change: (kind) => form.set(`${CURSORS_POINTER}/${place}`, BLANK_PIPELINE_STEPS[kind]),
      move: (by) => {
        moveStep(place, place + by)
        const [sameDirection, oppositeDirection] = by < 0 ? ['up', 'down'] : ['down', 'up']
        focusFirstOf(`step-${place + by}-${sameDirection}`, `step-${place + by}-${oppositeDirection}`)
      },
      copy: () => {
        setSteps(cursors.toSpliced(place + 1, 0, structuredClone(cursors[place] as PipelineStepForm)))
        focusFirstOf(`step-${place + 1}`)
      },
      remove: () => {
        const step = cursors[place] as PipelineStepForm
        setSteps(cursors.toSpliced(place, 1))
        showToast(t('stepRemoved', { place: place + 1 }), () =>
          latestSteps.current.set(latestSteps.current.cursors.toSpliced(place, 0, step)),
        )
        focusFirstOf(`step-${place}`, `step-${place - 1}`, 'step-source')
      },
    }),
  }
}

/** Context of every field: flaws, and the names that paths may refer to. */
function useEditorContext(
  { pipeline, flaws, isReadOnly }: Props,
  form: FormState<CompilableForm>,
): PipelineEditorContext {
  const contactFields = useContactFields().data
  const pipelines = usePipelines(form.value.id)
  const argumentPaths = useMemo(
    () => pipeline.parameters.flatMap(({ name }) => (name ? [`arguments.${name}`] : [])),
    [pipeline.parameters],
  )
  return {
    form,
    flaws,
    isReadOnly,
    argumentPaths,
    known: {
      fields: (contactFields ?? []).map(({ name }) => name),
      pipelineOf: (id) => pipelines.find((candidate) => candidate.id === id)?.value as CompilablePipeline | undefined,
    },
  }
}

function PipelineTools({
  isSource,
  onSource,
  history,
  isReadOnly,
}: {
  isSource: boolean
  onSource(on: boolean): void
  history: PipelineUndo
  isReadOnly: boolean
}) {
  const t = useTranslator(scriptTexts)
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
const isTextInput = (target: EventTarget): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [readonly]), textarea'))

function PipelineSteps(props: Props) {
  const { pipeline, form, flaws, isReadOnly, preview, isOld } = props
  const t = useTranslator(scriptTexts)
  const steps = usePipelineSteps(form, pipeline)
  const rootRef = useRef<HTMLDivElement>(null)
  const latestMove = useRef(steps.move)
  latestMove.current = steps.move
  const handleDrop = useCallback((dragged: object, [to = 0]: readonly number[]) => {
    const fromIndex = 'from' in dragged ? (dragged.from as readonly number[])[0] : undefined
    if (fromIndex !== undefined) latestMove.current(fromIndex, to > fromIndex ? to - 1 : to)
  }, [])
  useDesignDrops(rootRef, handleDrop)
  const sourceFlaws = filterFlawsBelow(flaws, '/value/source')
  const hasErrors = sourceFlaws.some(({ severity }) => severity === 'error')
  return (
    <div ref={rootRef} className={styles['stack']}>
      <ol className={styles['steps']} aria-label={t('steps')} data-design-canvas>
        <li
          id="step-source"
          tabIndex={-1}
          className={styles['step']}
          aria-label={t('source')}
          data-fault={hasErrors || undefined}
        >
          <PipelineSourceField at="/value/source" label={t('source')} />
          <ScriptFlawList flaws={sourceFlaws} />
          {preview && <PipelineStepRows steps={0} label={t('source')} preview={preview} isOld={isOld} />}
        </li>
        {pipeline.cursors.map((_, place) => (
          <PipelineStepCard
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place.
            key={place}
            place={place}
            pipeline={pipeline}
            preview={preview}
            isOld={isOld}
            acts={steps.actsOf(place)}
          />
        ))}
      </ol>
      {!isReadOnly && (
        <Select
          size="xs"
          w={260}
          aria-label={t('addStep')}
          placeholder={t('addStep')}
          leftSection={<IconPlus size={14} aria-hidden />}
          data={(Object.keys(BLANK_PIPELINE_STEPS) as PipelineStepKind[]).map((sourceType) => ({
            value: sourceType,
            label: t(`step_${sourceType}`),
          }))}
          value={null}
          onChange={(kind) => kind !== null && steps.add(kind as PipelineStepKind)}
        />
      )}
    </div>
  )
}

/** The source and the steps of a pipeline as forms, or as its source text. */
export function PipelineEditor(props: Props) {
  const { isReadOnly } = props
  const t = useTranslator(scriptTexts)
  const [isSource, setSource] = useState(false)
  const history = usePipelineUndo(props.form)
  const { form, undo, redo } = history
  const editorContext = useEditorContext(props, form)
  const onKeyDown = (event: KeyboardEvent): void => {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z'
    if (!isUndo || isReadOnly || event.defaultPrevented || isTextInput(event.target)) return
    event.preventDefault()
    if (event.shiftKey) redo()
    else undo()
  }
  return (
    <PipelineEditorProvider value={editorContext}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of what is within. */}
      <div className={styles['stack']} onKeyDown={onKeyDown}>
        <PipelineTools isSource={isSource} onSource={setSource} history={history} isReadOnly={isReadOnly} />
        {isSource ? (
          <FormJsonField form={form} at="/value" label={t('sourceText')} minHeight={260} readOnly={isReadOnly} />
        ) : (
          <PipelineSteps {...props} form={form} />
        )}
      </div>
    </PipelineEditorProvider>
  )
}
