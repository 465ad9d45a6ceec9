import { Button, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, memo, useCallback, useRef, useState } from 'react'
import { useShortcut } from '../../layout/dialogs/keys.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Design.module.css'
import { DesignCanvas } from './DesignCanvas.tsx'
import { DesignPreview } from './DesignPreview.tsx'
import { DesignSidePanel } from './DesignSidePanel.tsx'
import { BlockPalette, DesignToolbar } from './DesignToolbar.tsx'
import type { DesignEditorAction } from './model/desk.ts'
import { useDesignDrops } from './model/drag.ts'
import { createDesignBlock } from './model/new-block.ts'
import type { ApiDesign } from './model/shapes.ts'
import { useDesignEditor } from './model/use-desk.ts'
import { type DesignFindings, useDesignFindings } from './model/use-findings.ts'
import { designTexts } from './texts.ts'

interface Props {
  design: ApiDesign
  onChange(design: ApiDesign): void
  label?: string
  isReadOnly?: boolean
}

const UNDO: Record<string, 'undo' | 'redo'> = { z: 'undo', Z: 'redo', y: 'redo' }

/** The keys of the editor, for the list of keys; the canvas acts on them. */
const ListedKeys = memo(function ListedKeys({ isReadOnly }: { isReadOnly: boolean }) {
  const t = useTranslator(designTexts)
  useShortcut('↑ ↓', t('keyChoose'))
  useShortcut('Enter', t('keyWrite'), undefined, !isReadOnly)
  useShortcut('Alt ↑ ↓', t('keyMove'), undefined, !isReadOnly)
  useShortcut('mod+d', t('duplicate'), undefined, !isReadOnly)
  useShortcut('Delete', t('remove'), undefined, !isReadOnly)
  useShortcut('mod+z', t('undo'), undefined, !isReadOnly)
  useShortcut('mod+y', t('redo'), undefined, !isReadOnly)
  useShortcut('mod+c', t('keyCopy'), undefined, !isReadOnly)
  return null
})

interface WholeProps {
  findings: DesignFindings
  isReadOnly: boolean
  rows: number
  act(act: DesignEditorAction): void
}

/** What is said of the design as a whole; a footer that is missing can be added at once. */
function Whole({ findings: { byPath, lacksFooter }, isReadOnly, rows, act }: WholeProps) {
  const t = useTranslator(designTexts)
  const words = byPath['']
  if (!words) return null
  return (
    <div className={styles['whole']} role="status">
      {words}
      {lacksFooter && !isReadOnly && (
        <Button
          mt={6}
          size="compact-xs"
          variant="default"
          onClick={() => act({ do: 'insert', block: createDesignBlock('footer', t), path: [rows] })}
        >
          {t('addFooter')}
        </Button>
      )}
    </div>
  )
}

/** Edits a design: palette, canvas and settings, by hand and by keyboard. */
export function DesignEditor({ design, onChange, label, isReadOnly = false }: Props) {
  const t = useTranslator(designTexts)
  const { desk, act } = useDesignEditor({ design, onChange })
  const { present } = desk.history
  const [isPreviewing, setPreviewing] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })
  const findings = useDesignFindings(present)
  const root = useRef<HTMLDivElement>(null)
  const drop = useCallback(
    (dragged: Parameters<Parameters<typeof useDesignDrops>[1]>[0], to: readonly number[]) =>
      act(
        'kind' in dragged
          ? { do: 'insert', block: createDesignBlock(dragged.kind, t), path: to }
          : { do: 'move', from: dragged.from, to },
      ),
    [act, t],
  )
  useDesignDrops(root, drop)
  const keys = (event: KeyboardEvent): void => {
    const way = (event.ctrlKey || event.metaKey) && UNDO[event.key]
    if (!way || isReadOnly) return
    event.preventDefault()
    event.stopPropagation()
    act({ do: way })
  }
  const { done, chosen, history } = desk
  const latest = useRef(desk)
  latest.current = desk
  const read = useCallback(() => latest.current, [])
  const preview = useCallback(() => setPreviewing(true), [])
  const settings = useCallback(() => setOpen(true), [])
  const panel = <DesignSidePanel {...{ desk, isReadOnly, act }} warnings={findings.byPath} />
  return (
    <div ref={root} className={styles['editor']} onKeyDownCapture={keys}>
      <ListedKeys isReadOnly={isReadOnly} />
      <div className={styles['bar']}>
        {!isReadOnly && <BlockPalette act={act} />}
        <DesignToolbar
          {...{ isReadOnly, act, read }}
          canUndo={history.past.length > 0}
          canRedo={history.future.length > 0}
          isChosen={chosen !== null}
          isEmpty={present.rows.length === 0}
          onPreview={preview}
          onSettings={isNarrow ? settings : undefined}
        />
      </div>
      <div className={styles['work']}>
        <DesignCanvas {...{ desk, isReadOnly, act }} warnings={findings.byPath} label={label ?? t('design')} />
        <div className={styles['beside']}>
          <Whole {...{ findings, isReadOnly, act }} rows={present.rows.length} />
          {!isNarrow && panel}
          {!isNarrow && !isReadOnly && <p className={styles['keys']}>{t('keys')}</p>}
        </div>
      </div>
      <div className={styles['said']} role="status" key="said">
        {done && <span key={done.count}>{t(done.what, { what: t(done.kind) })}</span>}
      </div>
      {isNarrow && (
        <Drawer
          opened={isOpen}
          onClose={() => setOpen(false)}
          position="bottom"
          size="62%"
          title={t('settings')}
          closeButtonProps={{ 'aria-label': t('close') }}
        >
          {panel}
        </Drawer>
      )}
      {isPreviewing && <DesignPreview rendered={findings.rendered} onClose={() => setPreviewing(false)} />}
    </div>
  )
}
