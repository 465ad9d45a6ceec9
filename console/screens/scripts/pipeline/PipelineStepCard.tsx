import { ActionIcon, Button, Select } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconGripVertical, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useNodeDrag } from '../../../components/design/model/drag.ts'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { CompilablePipeline } from '../compilable-kind.ts'
import type { ApiScriptFlaw } from '../flaws.ts'
import { PreviewResultView } from '../runs/CompilablePreviewPanel.tsx'
import type { CompilablePreviewState } from '../runs/use-preview.ts'
import { ScriptFlawList } from '../ScriptFlawList.tsx'
import { scriptTexts } from '../texts.ts'
import { usePipelineEditor, usePipelineFault } from './desk.ts'
import { BLANK_PIPELINE_STEPS, type PipelineStepKind } from './kinds.ts'
import styles from './Pipeline.module.css'
import { PipelineStepFields } from './PipelineStepFields.tsx'

/** Flaws of a member and of what is below it. */
export const filterFlawsBelow = (flaws: readonly ApiScriptFlaw[], at: string): ApiScriptFlaw[] =>
  flaws.filter(({ path }) => path === at || path.startsWith(`${at}/`))

/** The rows after a step, when they were asked for. */
export function PipelineStepRows({
  steps,
  label,
  preview,
  isOld,
}: {
  steps: number
  label: string
  preview: CompilablePreviewState
  isOld: boolean
}) {
  const t = useTranslator(scriptTexts)
  const { made: finishedPreview, asked: requestedSteps, run } = preview
  return (
    <>
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`${t('showRows')}: ${label}`}
          loading={requestedSteps === steps}
          onClick={() => run(steps)}
        >
          {t('showRows')}
        </Button>
      </div>
      {finishedPreview?.steps === steps && <PreviewResultView made={finishedPreview} hasPlan isOld={isOld} />}
    </>
  )
}

/** Place where the step ran in the last preview: the database or memory. */
function ExecutionPlaceBadge({ place, preview }: { place: number; preview: CompilablePreviewState }) {
  const t = useTranslator(scriptTexts)
  const { made: finishedPreview } = preview
  if (finishedPreview?.outcome.type !== 'success' || place >= (finishedPreview.steps ?? Number.POSITIVE_INFINITY))
    return null
  const isInDatabase = place < finishedPreview.outcome.plan.sql
  return (
    <StateBadge tone={isInDatabase ? 'good' : 'neutral'} hint={t(isInDatabase ? 'inDatabaseWhy' : 'inMemoryWhy')}>
      {t(isInDatabase ? 'inDatabase' : 'inMemory')}
    </StateBadge>
  )
}

/** Commands on a whole step. */
export interface PipelineStepCommands {
  change(kind: PipelineStepKind): void
  move(by: -1 | 1): void
  copy(): void
  remove(): void
}

function StepButtons({ place, last, acts }: { place: number; last: number; acts: PipelineStepCommands }) {
  const t = useTranslator(scriptTexts)
  const stepPosition = { place: place + 1 }
  return (
    <div className={styles['buttons']}>
      <ActionIcon
        id={`step-${place}-up`}
        aria-label={t('up', stepPosition)}
        disabled={place === 0}
        onClick={() => acts.move(-1)}
      >
        <IconArrowUp size={15} />
      </ActionIcon>
      <ActionIcon
        id={`step-${place}-down`}
        aria-label={t('down', stepPosition)}
        disabled={place === last}
        onClick={() => acts.move(1)}
      >
        <IconArrowDown size={15} />
      </ActionIcon>
      <ActionIcon aria-label={t('copyStep', stepPosition)} onClick={acts.copy}>
        <IconCopy size={15} />
      </ActionIcon>
      <ActionIcon aria-label={t('removeStep', stepPosition)} onClick={acts.remove}>
        <IconX size={15} />
      </ActionIcon>
    </div>
  )
}

interface Props {
  place: number
  pipeline: CompilablePipeline
  acts: PipelineStepCommands
  preview: CompilablePreviewState | null
  isOld: boolean
  children?: ReactNode
}

/** A step: its kind, its members, what is wrong with it, the rows after it. */
export function PipelineStepCard({ place, pipeline, acts, preview, isOld }: Props) {
  const t = useTranslator(scriptTexts)
  const { flaws, isReadOnly } = usePipelineEditor()
  const cardRef = useRef<HTMLLIElement>(null)
  const handleRef = useRef<HTMLSpanElement>(null)
  const dropEdge = useNodeDrag(cardRef, { at: String(place), handle: handleRef, isFixed: isReadOnly })
  const stepLabel = t('step', { place: place + 1 })
  const stepPointer = `/value/cursors/${place}`
  const stepFlaws = filterFlawsBelow(flaws, stepPointer)
  return (
    <li
      ref={cardRef}
      id={`step-${place}`}
      tabIndex={-1}
      className={styles['step']}
      aria-label={stepLabel}
      data-edge={dropEdge ?? undefined}
      data-fault={stepFlaws.some(({ severity }) => severity === 'error') || undefined}
    >
      <div className={styles['title']}>
        {!isReadOnly && (
          <span ref={handleRef} className={styles['handle']} title={t('dragStep')}>
            <IconGripVertical size={15} aria-hidden />
          </span>
        )}
        <strong>{stepLabel}</strong>
        <Select
          size="xs"
          w={220}
          aria-label={t('kindOf', { step: stepLabel })}
          allowDeselect={false}
          readOnly={isReadOnly}
          error={usePipelineFault(stepPointer, `${stepPointer}/type`)}
          data={(Object.keys(BLANK_PIPELINE_STEPS) as PipelineStepKind[]).map((stepKind) => ({
            value: stepKind,
            label: t(`step_${stepKind}`),
          }))}
          value={pipeline.cursors[place]?.type ?? null}
          onChange={(next) => next !== null && acts.change(next as PipelineStepKind)}
        />
        {preview && <ExecutionPlaceBadge place={place} preview={preview} />}
        {!isReadOnly && <StepButtons place={place} last={pipeline.cursors.length - 1} acts={acts} />}
      </div>
      <PipelineStepFields place={place} pipeline={pipeline} />
      <ScriptFlawList flaws={stepFlaws} />
      {preview && <PipelineStepRows steps={place + 1} label={stepLabel} preview={preview} isOld={isOld} />}
    </li>
  )
}
