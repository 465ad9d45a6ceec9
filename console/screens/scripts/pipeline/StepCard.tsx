import { ActionIcon, Button, Select } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconGripVertical, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { Badge } from '../../../components/Badge.tsx'
import { useMovable } from '../../../components/design/model/drag.ts'
import { useText } from '../../../text/catalogue.ts'
import type { Pipeline } from '../compilable-kind.ts'
import { Flaws } from '../Flaws.tsx'
import type { Flaw } from '../flaws.ts'
import { Answered } from '../runs/Preview.tsx'
import type { Previewing } from '../runs/use-preview.ts'
import { scriptTexts } from '../texts.ts'
import { useDesk, useFault } from './desk.ts'
import { STEPS, type StepKind } from './kinds.ts'
import styles from './Pipeline.module.css'
import { StepFields } from './StepFields.tsx'

/** Flaws of a member and of what is below it. */
export const flawsBelow = (flaws: readonly Flaw[], at: string): Flaw[] =>
  flaws.filter(({ path }) => path === at || path.startsWith(`${at}/`))

/** The rows after a step, when they were asked for. */
export function RowsOf({
  steps,
  label,
  preview,
  isOld,
}: {
  steps: number
  label: string
  preview: Previewing
  isOld: boolean
}) {
  const t = useText(scriptTexts)
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
      {made?.steps === steps && <Answered made={made} hasPlan isOld={isOld} />}
    </>
  )
}

/** Where a step was done the last time: in the database, or in memory. */
function Where({ place, preview }: { place: number; preview: Previewing }) {
  const t = useText(scriptTexts)
  const { made } = preview
  if (made?.outcome.type !== 'success' || place >= (made.steps ?? Number.POSITIVE_INFINITY)) return null
  const isPushed = place < made.outcome.plan.sql
  return (
    <Badge tone={isPushed ? 'good' : 'neutral'} hint={t(isPushed ? 'inDatabaseWhy' : 'inMemoryWhy')}>
      {t(isPushed ? 'inDatabase' : 'inMemory')}
    </Badge>
  )
}

/** What is done with a step as a whole. */
export interface StepActs {
  change(kind: StepKind): void
  move(by: -1 | 1): void
  copy(): void
  remove(): void
}

function Buttons({ place, last, acts }: { place: number; last: number; acts: StepActs }) {
  const t = useText(scriptTexts)
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
  pipeline: Pipeline
  acts: StepActs
  preview: Previewing | null
  isOld: boolean
  children?: ReactNode
}

/** A step: its kind, its members, what is wrong with it, the rows after it. */
export function StepCard({ place, pipeline, acts, preview, isOld }: Props) {
  const t = useText(scriptTexts)
  const { flaws, isReadOnly } = useDesk()
  const card = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const edge = useMovable(card, { at: String(place), handle, isFixed: isReadOnly })
  const label = t('step', { place: place + 1 })
  const at = `/value/cursors/${place}`
  const own = flawsBelow(flaws, at)
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
          error={useFault(at, `${at}/type`)}
          data={(Object.keys(STEPS) as StepKind[]).map((one) => ({ value: one, label: t(`step_${one}`) }))}
          value={pipeline.cursors[place]?.type ?? null}
          onChange={(next) => next !== null && acts.change(next as StepKind)}
        />
        {preview && <Where place={place} preview={preview} />}
        {!isReadOnly && <Buttons place={place} last={pipeline.cursors.length - 1} acts={acts} />}
      </div>
      <StepFields place={place} pipeline={pipeline} />
      <Flaws flaws={own} />
      {preview && <RowsOf steps={place + 1} label={label} preview={preview} isOld={isOld} />}
    </li>
  )
}
