import { ActionIcon, Button, Modal } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconCopy, IconEye, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useText } from '../../text/catalogue.ts'
import { MailView } from '../mail/MailView.tsx'
import { Problem } from '../Problem.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { Canvas } from './Canvas.tsx'
import styles from './Design.module.css'
import { type Act, type Desk, deskAfter, deskOf } from './desk.ts'
import { useDrops, useTakeable } from './drag.ts'
import { newBlock } from './new-block.ts'
import { SidePanel } from './SidePanel.tsx'
import { type BlockKind, type Design, KINDS } from './shapes.ts'
import { designTexts } from './texts.ts'
import { useFindings } from './use-findings.ts'

interface Props {
  design: Design
  onChange(design: Design): void
  label?: string
  isReadOnly?: boolean
}

/** The design as it is edited: told to the caller after each step, and begun anew when the caller has another. */
function useDesk({ design, onChange }: Props) {
  const [desk, act] = useReducer(deskAfter, design, deskOf)
  const told = useRef(design)
  const tell = useRef(onChange)
  tell.current = onChange
  const { present } = desk.history
  useEffect(() => {
    if (told.current === present) return
    told.current = present
    tell.current(present)
  }, [present])
  useEffect(() => {
    if (told.current === design) return
    told.current = design
    act({ do: 'reset', design })
  }, [design])
  return { desk, act }
}

function Take({ kind, insert }: { kind: BlockKind; insert(kind: BlockKind): void }) {
  const t = useText(designTexts)
  const ref = useRef<HTMLButtonElement>(null)
  useTakeable(ref, kind)
  return (
    <button ref={ref} type="button" className={styles['take']} onClick={() => insert(kind)}>
      {t(kind)}
    </button>
  )
}

interface ToolProps {
  label: string
  isOff?: boolean
  run(): void
  children: ReactNode
}

function Tool({ label, isOff = false, run, children }: ToolProps) {
  return (
    <ActionIcon variant="default" size="md" aria-label={label} title={label} disabled={isOff} onClick={run}>
      {children}
    </ActionIcon>
  )
}

function Tools({
  desk,
  isReadOnly,
  act,
  onPreview,
}: {
  desk: Desk
  isReadOnly: boolean
  act(act: Act): void
  onPreview(): void
}) {
  const t = useText(designTexts)
  const { past, future } = desk.history
  return (
    <div className={styles['tools']} role="toolbar" aria-label={t('tools')}>
      {!isReadOnly && (
        <>
          <Tool label={t('undo')} isOff={past.length === 0} run={() => act({ do: 'undo' })}>
            <IconArrowBackUp size={16} />
          </Tool>
          <Tool label={t('redo')} isOff={future.length === 0} run={() => act({ do: 'redo' })}>
            <IconArrowForwardUp size={16} />
          </Tool>
          <Tool label={t('duplicate')} isOff={!desk.chosen} run={() => act({ do: 'duplicate' })}>
            <IconCopy size={16} />
          </Tool>
          <Tool label={t('remove')} isOff={!desk.chosen} run={() => act({ do: 'remove' })}>
            <IconTrash size={16} />
          </Tool>
        </>
      )}
      <Button size="compact-sm" variant="default" leftSection={<IconEye size={14} aria-hidden />} onClick={onPreview}>
        {t('preview')}
      </Button>
    </div>
  )
}

function Preview({ findings, onClose }: { findings: ReturnType<typeof useFindings>; onClose(): void }) {
  const t = useText(designTexts)
  const { data, error, refetch } = findings.rendered
  return (
    <Modal opened onClose={onClose} title={t('preview')} size={800} closeButtonProps={{ 'aria-label': t('close') }}>
      {error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <MailView html={data.html} text={data.text} title={t('preview')} height={600} />
      ) : (
        <Skeleton />
      )}
    </Modal>
  )
}

const UNDO: Record<string, 'undo' | 'redo'> = { z: 'undo', Z: 'redo', y: 'redo' }

/** Edits a design: palette, canvas and settings, by hand and by keyboard. */
export function DesignEditor(props: Props) {
  const { label, isReadOnly = false } = props
  const t = useText(designTexts)
  const { desk, act } = useDesk(props)
  const [isPreviewing, setPreviewing] = useState(false)
  const findings = useFindings(desk.history.present)
  const root = useRef<HTMLDivElement>(null)
  const insert = (kind: BlockKind): void => act({ do: 'insert', block: newBlock(kind, t) })
  const drop = useCallback(
    (dragged: Parameters<Parameters<typeof useDrops>[1]>[0], to: readonly number[]) =>
      act(
        'kind' in dragged
          ? { do: 'insert', block: newBlock(dragged.kind, t), path: to }
          : { do: 'move', from: dragged.from, to },
      ),
    [act, t],
  )
  useDrops(root, drop)
  const keys = (event: KeyboardEvent): void => {
    const way = (event.ctrlKey || event.metaKey) && UNDO[event.key]
    if (!way || isReadOnly) return
    event.preventDefault()
    event.stopPropagation()
    act({ do: way })
  }
  const { done } = desk
  const whole = findings.byPath['']
  return (
    <div ref={root} className={styles['editor']} onKeyDownCapture={keys}>
      <div className={styles['bar']}>
        {!isReadOnly && (
          <div className={styles['palette']} role="group" aria-label={t('palette')} data-design-palette>
            {KINDS.map((kind) => (
              <Take key={kind} kind={kind} insert={insert} />
            ))}
          </div>
        )}
        <Tools {...{ desk, isReadOnly, act }} onPreview={() => setPreviewing(true)} />
      </div>
      <div className={styles['work']}>
        <Canvas {...{ desk, isReadOnly, act }} warnings={findings.byPath} label={label ?? t('design')} />
        <div className={styles['beside']}>
          {whole && (
            <p className={styles['whole']} role="status">
              {whole}
            </p>
          )}
          <SidePanel {...{ desk, isReadOnly, act }} />
          <p className={styles['keys']}>{t('keys')}</p>
        </div>
      </div>
      <div className={styles['said']} role="status" key="said">
        {done && <span key={done.count}>{t(done.what, { what: t(done.kind) })}</span>}
      </div>
      {isPreviewing && <Preview findings={findings} onClose={() => setPreviewing(false)} />}
    </div>
  )
}
