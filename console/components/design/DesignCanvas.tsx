import { IconGripVertical } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, memo, useMemo, useRef } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { CanvasColumns, type DesignDrawingContext, narrowChosenPath, useChosenNodeFocus } from './CanvasBlock.tsx'
import styles from './Design.module.css'
import type { DesignEditorAction, DesignEditorState } from './model/desk.ts'
import { useEndDropTarget, useNodeDrag } from './model/drag.ts'
import { DESIGN_FONT_FAMILIES, resolveRowBackground, themeOnBackground } from './model/look.ts'
import { designNodeKey, findDesignNode, parseDesignNode } from './model/model.ts'
import type { ApiDesignRow } from './model/shapes.ts'
import { formatRowCondition } from './RowConditionField.tsx'
import { designTexts } from './texts.ts'

interface RowProps extends DesignDrawingContext {
  row: ApiDesignRow
}

const RowFrame = memo(function RowFrame({ row, theme, ...shared }: RowProps) {
  const t = useTranslator(designTexts)
  const { at, chosen, act, isReadOnly } = shared
  const isChosen = chosen === at
  const ref = useChosenNodeFocus(isChosen)
  const handle = useRef<HTMLButtonElement>(null)
  const edge = useNodeDrag(ref, { at, handle, isFixed: isReadOnly })
  const own = useMemo(() => themeOnBackground(row.background, theme), [row.background, theme])
  const conditions = [
    row.condition && t('onlyIf', { condition: formatRowCondition(row.condition, t) }),
    row.repeat && t('forEach', { list: row.repeat.over }),
  ].filter(Boolean)
  const choose = (): void => act({ do: 'choose', path: [Number(at)] })
  return (
    <div
      ref={ref}
      className={styles['row']}
      data-row={at}
      data-chosen={isChosen || undefined}
      data-edge={edge ?? undefined}
      style={{ background: resolveRowBackground(row.background, theme), color: own.colours.text }}
      role="group"
      aria-roledescription={t('row')}
      aria-label={t('rowNumber', { number: String(Number(at) + 1) })}
      tabIndex={isChosen ? 0 : -1}
      onClick={(event) => {
        event.stopPropagation()
        choose()
      }}
    >
      <button
        ref={handle}
        type="button"
        tabIndex={-1}
        className={styles['handle']}
        aria-label={t('chooseRow', { number: String(Number(at) + 1) })}
        onClick={choose}
      >
        <IconGripVertical size={14} aria-hidden />
      </button>
      {conditions.length > 0 && <div className={styles['conditions']}>{conditions.join(' · ')}</div>}
      <CanvasColumns {...shared} theme={own} parent={row} />
    </div>
  )
})

const isWriting = (target: EventTarget): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Acts of the keyboard on what is chosen; undefined: the key means nothing here. */
function actOf(event: KeyboardEvent, { chosen }: DesignEditorState): DesignEditorAction | undefined {
  const isMod = event.ctrlKey || event.metaKey
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const step = event.key === 'ArrowDown' ? 1 : -1
    return event.altKey ? { do: 'step', step } : { do: 'walk', step }
  }
  if (event.key === 'Delete' || event.key === 'Backspace') return { do: 'remove' }
  if (isMod && event.key.toLowerCase() === 'd') return { do: 'duplicate' }
  if (event.key === 'Enter' && chosen) return { do: 'choose', path: chosen, isEditing: true }
  if (event.key === 'Escape' && chosen) return { do: 'choose', path: chosen.length > 1 ? chosen.slice(0, -2) : null }
  return undefined
}

interface Props {
  desk: DesignEditorState
  warnings: Readonly<Record<string, string>>
  isReadOnly: boolean
  label: string
  act(act: DesignEditorAction): void
}

const READING = new Set(['walk', 'choose'])

function useHands({ desk, isReadOnly, act }: Props) {
  const keys = (event: KeyboardEvent): void => {
    if (isWriting(event.target)) {
      if (event.key === 'Escape' && desk.chosen) act({ do: 'choose', path: desk.chosen })
      return
    }
    if (event.target instanceof HTMLElement && event.target.closest('[role=toolbar]')) return
    const next = actOf(event, desk)
    if (!next || (isReadOnly && !READING.has(next.do))) return
    event.preventDefault()
    event.stopPropagation()
    act(next)
  }
  const copy = (event: ClipboardEvent): boolean => {
    const node = desk.chosen && !isWriting(event.target) && findDesignNode(desk.history.present, desk.chosen)
    if (!node) return false
    event.preventDefault()
    event.clipboardData.setData('text/plain', JSON.stringify(node))
    return true
  }
  return {
    onKeyDown: keys,
    onCopy: (event: ClipboardEvent) => void copy(event),
    onCut: (event: ClipboardEvent) => {
      if (!isReadOnly && copy(event)) act({ do: 'remove' })
    },
    onPaste: (event: ClipboardEvent) => {
      if (isReadOnly || isWriting(event.target)) return
      const node = parseDesignNode(event.clipboardData.getData('text/plain'))
      if (!node) return
      event.preventDefault()
      act({ do: 'paste', node })
    },
  }
}

/** The design as it will look; what is chosen is what keys and the panel beside act on. */
export const DesignCanvas = memo(function DesignCanvas(props: Props) {
  const { desk, warnings, isReadOnly, label, act } = props
  const t = useTranslator(designTexts)
  const end = useRef<HTMLDivElement>(null)
  const { theme, rows } = desk.history.present
  const chosen = String(desk.chosen ?? '')
  const isOver = useEndDropTarget(end, String(rows.length))
  const hands = useHands(props)
  const page = {
    background: theme.colours.background,
    color: theme.colours.text,
    fontFamily: DESIGN_FONT_FAMILIES[theme.fonts.body],
  }
  return (
    <div
      className={styles['canvas']}
      style={page}
      data-design-canvas
      role="group"
      aria-label={label}
      tabIndex={desk.chosen ? -1 : 0}
      onClick={() => act({ do: 'choose', path: null })}
      {...hands}
    >
      <div className={styles['sheet']} style={{ maxWidth: theme.width }}>
        {rows.map((row, index) => (
          <RowFrame
            key={designNodeKey(row)}
            {...{ row, theme, isReadOnly, warnings, act }}
            at={String(index)}
            chosen={narrowChosenPath(chosen, String(index))}
            isEditing={desk.isEditing && narrowChosenPath(chosen, String(index)) !== ''}
          />
        ))}
        <div
          ref={end}
          className={styles['end']}
          data-empty={rows.length === 0 || undefined}
          data-over={isOver || undefined}
        >
          {rows.length === 0 && t('dropHere')}
        </div>
      </div>
    </div>
  )
})
