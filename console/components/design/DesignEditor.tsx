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

const UNDO_KEYS: Record<string, 'undo' | 'redo'> = { z: 'undo', Z: 'redo', y: 'redo' }

/** The keys of the editor, for the list of keys; the canvas acts on them. */
const EditorShortcuts = memo(function ListedKeys({ isReadOnly }: { isReadOnly: boolean }) {
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

interface DesignNoticeProps {
  findings: DesignFindings
  isReadOnly: boolean
  rows: number
  act(act: DesignEditorAction): void
}

/** Warnings about the design as a whole; a missing footer can be added from here. */
function DesignNotice({ findings: { byPath, lacksFooter }, isReadOnly, rows, act }: DesignNoticeProps) {
  const t = useTranslator(designTexts)
  const noticeText = byPath['']
  if (!noticeText) return null
  return (
    <div className={styles['whole']} role="status">
      {noticeText}
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
  const rootRef = useRef<HTMLDivElement>(null)
  const handleDrop = useCallback(
    (dragged: Parameters<Parameters<typeof useDesignDrops>[1]>[0], to: readonly number[]) =>
      act(
        'kind' in dragged
          ? { do: 'insert', block: createDesignBlock(dragged.kind, t), path: to }
          : { do: 'move', from: dragged.from, to },
      ),
    [act, t],
  )
  useDesignDrops(rootRef, handleDrop)
  const handleKey = (event: KeyboardEvent): void => {
    const historyAction = (event.ctrlKey || event.metaKey) && UNDO_KEYS[event.key]
    if (!historyAction || isReadOnly) return
    event.preventDefault()
    event.stopPropagation()
    act({ do: historyAction })
  }
  const { done, chosen: chosenPath, history } = desk
  const latestDesk = useRef(desk)
  latestDesk.current = desk
  const readDesk = useCallback(() => latestDesk.current, [])
  const openPreview = useCallback(() => setPreviewing(true), [])
  const openSettings = useCallback(() => setOpen(true), [])
  const sidePanel = <DesignSidePanel desk={desk} isReadOnly={isReadOnly} act={act} warnings={findings.byPath} />
  return (
    <div ref={rootRef} className={styles['editor']} onKeyDownCapture={handleKey}>
      <EditorShortcuts isReadOnly={isReadOnly} />
      <div className={styles['bar']}>
        {!isReadOnly && <BlockPalette act={act} />}
        <DesignToolbar
          isReadOnly={isReadOnly}
          act={act}
          read={readDesk}
          canUndo={history.past.length > 0}
          canRedo={history.future.length > 0}
          isChosen={chosenPath !== null}
          isEmpty={present.rows.length === 0}
          onPreview={openPreview}
          onSettings={isNarrow ? openSettings : undefined}
        />
      </div>
      <div className={styles['work']}>
        <DesignCanvas
          desk={desk}
          isReadOnly={isReadOnly}
          act={act}
          warnings={findings.byPath}
          label={label ?? t('design')}
        />
        <div className={styles['beside']}>
          <DesignNotice findings={findings} isReadOnly={isReadOnly} act={act} rows={present.rows.length} />
          {!isNarrow && sidePanel}
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
          {sidePanel}
        </Drawer>
      )}
      {isPreviewing && <DesignPreview rendered={findings.rendered} onClose={() => setPreviewing(false)} />}
    </div>
  )
}
