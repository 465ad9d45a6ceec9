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
  const { made, asked, run } = preview
  return (
    <>
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`${t('showRows')}: ${label}`}
          loading={asked === steps}
          onClick={() => run(steps)}
        >
          {t('showRows')}
        </Button>
      </div>
      {made?.steps === steps && <PreviewResultView made={made} hasPlan isOld={isOld} />}
    </>
  )
}

/** Where a step was done the last time: in the database, or in memory. */
function Where({ place, preview }: { place: number; preview: CompilablePreviewState }) {
  const t = useTranslator(scriptTexts)
  const { made } = preview
  if (made?.outcome.type !== 'success' || place >= (made.steps ?? Number.POSITIVE_INFINITY)) return null
  const isPushed = place < made.outcome.plan.sql
  return (
    <StateBadge tone={isPushed ? 'good' : 'neutral'} hint={t(isPushed ? 'inDatabaseWhy' : 'inMemoryWhy')}>
      {t(isPushed ? 'inDatabase' : 'inMemory')}
    </StateBadge>
  )
}

/** What is done with a step as a whole. */
export interface PipelineStepCommands {
  change(kind: PipelineStepKind): void
  move(by: -1 | 1): void
  copy(): void
  remove(): void
}

function Buttons({ place, last, acts }: { place: number; last: number; acts: PipelineStepCommands }) {
  const t = useTranslator(scriptTexts)
  const at = { place: place + 1 }
  return (
    <div className={styles['buttons']}>
      <ActionIcon id={`step-${place}-up`} aria-label={t('up', at)} disabled={place === 0} onClick={() => acts.move(-1)}>
        <IconArrowUp size={15} />
      </ActionIcon>
      <ActionIcon
        id={`step-${place}-down`}
        aria-label={t('down', at)}
        disabled={place === last}
        onClick={() => acts.move(1)}
      >
        <IconArrowDown size={15} />
      </ActionIcon>
      <ActionIcon aria-label={t('copyStep', at)} onClick={acts.copy}>
        <IconCopy size={15} />
      </ActionIcon>
      <ActionIcon aria-label={t('removeStep', at)} onClick={acts.remove}>
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
  const card = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const edge = useNodeDrag(card, { at: String(place), handle, isFixed: isReadOnly })
  const label = t('step', { place: place + 1 })
  const at = `/value/cursors/${place}`
  const own = filterFlawsBelow(flaws, at)
  return (
    <li
      ref={card}
      id={`step-${place}`}
      tabIndex={-1}
      className={styles['step']}
      aria-label={label}
      data-edge={edge ?? undefined}
      data-fault={own.some(({ severity }) => severity === 'error') || undefined}
    >
      <div className={styles['title']}>
        {!isReadOnly && (
          <span ref={handle} className={styles['handle']} title={t('dragStep')}>
            <IconGripVertical size={15} aria-hidden />
          </span>
        )}
        <strong>{label}</strong>
        <Select
          size="xs"
          w={220}
          aria-label={t('kindOf', { step: label })}
          allowDeselect={false}
          readOnly={isReadOnly}
          error={usePipelineFault(at, `${at}/type`)}
          data={(Object.keys(BLANK_PIPELINE_STEPS) as PipelineStepKind[]).map((one) => ({
            value: one,
            label: t(`step_${one}`),
          }))}
          value={pipeline.cursors[place]?.type ?? null}
          onChange={(next) => next !== null && acts.change(next as PipelineStepKind)}
        />
        {preview && <Where place={place} preview={preview} />}
        {!isReadOnly && <Buttons place={place} last={pipeline.cursors.length - 1} acts={acts} />}
      </div>
      <PipelineStepFields place={place} pipeline={pipeline} />
      <ScriptFlawList flaws={own} />
      {preview && <PipelineStepRows steps={place + 1} label={label} preview={preview} isOld={isOld} />}
    </li>
  )
}
