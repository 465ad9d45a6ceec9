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
  const { at, chosen: chosenPath, act, isReadOnly } = shared
  const isChosen = chosenPath === at
  const ref = useChosenNodeFocus(isChosen)
  const dragHandle = useRef<HTMLButtonElement>(null)
  const dropEdge = useNodeDrag(ref, { at, handle: dragHandle, isFixed: isReadOnly })
  const rowTheme = useMemo(() => themeOnBackground(row.background, theme), [row.background, theme])
  const conditions = [
    row.condition && t('onlyIf', { condition: formatRowCondition(row.condition, t) }),
    row.repeat && t('forEach', { list: row.repeat.over }),
  ].filter(Boolean)
  const chooseRow = (): void => act({ do: 'choose', path: [Number(at)] })
  return (
    <div
      ref={ref}
      className={styles['row']}
      data-row={at}
      data-chosen={isChosen || undefined}
      data-edge={dropEdge ?? undefined}
      style={{ background: resolveRowBackground(row.background, theme), color: rowTheme.colours.text }}
      role="group"
      aria-roledescription={t('row')}
      aria-label={t('rowNumber', { number: String(Number(at) + 1) })}
      tabIndex={isChosen ? 0 : -1}
      onClick={(event) => {
        event.stopPropagation()
        chooseRow()
      }}
    >
      <button
        ref={dragHandle}
        type="button"
        tabIndex={-1}
        className={styles['handle']}
        aria-label={t('chooseRow', { number: String(Number(at) + 1) })}
        onClick={chooseRow}
      >
        <IconGripVertical size={14} aria-hidden />
      </button>
      {conditions.length > 0 && <div className={styles['conditions']}>{conditions.join(' · ')}</div>}
      <CanvasColumns {...shared} theme={rowTheme} parent={row} />
    </div>
  )
})

const isTextInput = (target: EventTarget): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Acts of the keyboard on what is chosen; undefined: the key means nothing here. */
function parseKeyAction(
  event: KeyboardEvent,
  { chosen: chosenPath }: DesignEditorState,
): DesignEditorAction | undefined {
  const hasModifier = event.ctrlKey || event.metaKey
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const step = event.key === 'ArrowDown' ? 1 : -1
    return event.altKey ? { do: 'step', step } : { do: 'walk', step }
  }
  if (event.key === 'Delete' || event.key === 'Backspace') return { do: 'remove' }
  if (hasModifier && event.key.toLowerCase() === 'd') return { do: 'duplicate' }
  if (event.key === 'Enter' && chosenPath) return { do: 'choose', path: chosenPath, isEditing: true }
  if (event.key === 'Escape' && chosenPath)
    return { do: 'choose', path: chosenPath.length > 1 ? chosenPath.slice(0, -2) : null }
  return undefined
}

interface Props {
  desk: DesignEditorState
  warnings: Readonly<Record<string, string>>
  isReadOnly: boolean
  label: string
  act(act: DesignEditorAction): void
}

const READ_ONLY_ACTIONS = new Set(['walk', 'choose'])

function useCanvasEvents({ desk, isReadOnly, act }: Props) {
  const handleKey = (event: KeyboardEvent): void => {
    if (isTextInput(event.target)) {
      if (event.key === 'Escape' && desk.chosen) act({ do: 'choose', path: desk.chosen })
      return
    }
    if (event.target instanceof HTMLElement && event.target.closest('[role=toolbar]')) return
    const keyAction = parseKeyAction(event, desk)
    if (!keyAction || (isReadOnly && !READ_ONLY_ACTIONS.has(keyAction.do))) return
    event.preventDefault()
    event.stopPropagation()
    act(keyAction)
  }
  const copyNode = (event: ClipboardEvent): boolean => {
    const node = desk.chosen && !isTextInput(event.target) && findDesignNode(desk.history.present, desk.chosen)
    if (!node) return false
    event.preventDefault()
    event.clipboardData.setData('text/plain', JSON.stringify(node))
    return true
  }
  return {
    onKeyDown: handleKey,
    onCopy: (event: ClipboardEvent) => void copyNode(event),
    onCut: (event: ClipboardEvent) => {
      if (!isReadOnly && copyNode(event)) act({ do: 'remove' })
    },
    onPaste: (event: ClipboardEvent) => {
      if (isReadOnly || isTextInput(event.target)) return
      const node = parseDesignNode(event.clipboardData.getData('text/plain'))
      if (!node) return
      event.preventDefault()
      act({ do: 'paste', node })
    },
  }
}

/** The design as it will appear. Keys and the settings panel act on the chosen node. */
export const DesignCanvas = memo(function DesignCanvas(props: Props) {
  const { desk, warnings, isReadOnly, label, act } = props
  const t = useTranslator(designTexts)
  const endRef = useRef<HTMLDivElement>(null)
  const { theme, rows } = desk.history.present
  const chosenPath = String(desk.chosen ?? '')
  const isOver = useEndDropTarget(endRef, String(rows.length))
  const eventHandlers = useCanvasEvents(props)
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
      {...eventHandlers}
    >
      <div className={styles['sheet']} style={{ maxWidth: theme.width }}>
        {rows.map((row, index) => (
          <RowFrame
            key={designNodeKey(row)}
            row={row}
            theme={theme}
            isReadOnly={isReadOnly}
            warnings={warnings}
            act={act}
            at={String(index)}
            chosen={narrowChosenPath(chosenPath, String(index))}
            isEditing={desk.isEditing && narrowChosenPath(chosenPath, String(index)) !== ''}
          />
        ))}
        <div
          ref={endRef}
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
