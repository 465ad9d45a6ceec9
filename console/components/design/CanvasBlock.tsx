import { IconAlertTriangle } from '@tabler/icons-react'
import { memo, useEffect, useRef } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { BlockPicture } from './BlockPicture.tsx'
import styles from './Design.module.css'
import type { DesignEditorAction } from './model/desk.ts'
import { useEndDropTarget, useNodeDrag } from './model/drag.ts'
import { designNodeKey, parseDesignPath } from './model/model.ts'
import type { ApiDesignBlock, ApiDesignTheme } from './model/shapes.ts'
import { summarizeBlockText } from './model/words.ts'
import { RichTextEditor } from './RichTextEditor.tsx'
import { designTexts } from './texts.ts'

/** Shared input for rendering a row or a block. */
export interface DesignDrawingContext {
  /** Its path as a text. */
  at: string
  theme: ApiDesignTheme
  /** The path of what is chosen where it is this one or one within, else empty. */
  chosen: string
  isEditing: boolean
  isReadOnly: boolean
  warnings: Readonly<Record<string, string>>
  act(act: DesignEditorAction): void
}

interface Props extends DesignDrawingContext {
  block: ApiDesignBlock
}

/** Returns the chosen path if it equals `at` or lies below it, otherwise an empty text. */
export const narrowChosenPath = (chosenPath: string, at: string): string =>
  chosenPath === at || chosenPath.startsWith(`${at},`) ? chosenPath : ''

/** Gives what is chosen the focus, unless something of it has it or it is written in; also once it is not written in any more. */
export function useChosenNodeFocus(isChosen: boolean, isWritten = false) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isElsewhere = document.activeElement?.closest('[data-design-settings], [data-design-palette]')
    if (isChosen && !isWritten && !isElsewhere && !ref.current?.contains(document.activeElement))
      ref.current?.focus({ preventScroll: false })
  }, [isChosen, isWritten])
  return ref
}

/** A block on the canvas: chosen by a click, edited by another or by Enter, moved by hand. */
export const CanvasBlock = memo(function CanvasBlock(props: Props) {
  const { block, at, theme, chosen: chosenPath, isEditing, isReadOnly, warnings, act } = props
  const t = useTranslator(designTexts)
  const isChosen = chosenPath === at
  const isWritten = isChosen && isEditing && block.type === 'text'
  const ref = useChosenNodeFocus(isChosen, isWritten)
  const dropEdge = useNodeDrag(ref, { at, isFixed: isWritten || isReadOnly })
  const warning = warnings[at]
  return (
    <div
      ref={ref}
      className={styles['block']}
      data-block={at}
      data-chosen={isChosen || undefined}
      data-edge={dropEdge ?? undefined}
      role="group"
      aria-roledescription={t('block')}
      aria-label={[`${t(block.type)}: ${summarizeBlockText(block)}`, warning].filter(Boolean).join('. ')}
      tabIndex={isChosen ? 0 : -1}
      onClick={(event) => {
        event.stopPropagation()
        if (!isWritten) act({ do: 'choose', path: parseDesignPath(at), isEditing: isChosen || event.detail > 1 })
      }}
    >
      {block.type === 'columns' ? (
        <CanvasColumns {...props} parent={block} />
      ) : (
        <BlockPicture
          block={block}
          theme={theme}
          {...(isWritten &&
            !isReadOnly && {
              editor: (
                <RichTextEditor
                  text={block.text}
                  label={t('text')}
                  onChange={(value) =>
                    act({ do: 'set', path: parseDesignPath(at), member: 'text', value, at: Date.now() })
                  }
                />
              ),
            })}
        />
      )}
      {warning && (
        <span className={styles['warning']} title={warning}>
          <IconAlertTriangle size={14} aria-hidden />
        </span>
      )}
    </div>
  )
})

/** Columns of a row or block, with the blocks of each. */
export function CanvasColumns({
  parent,
  ...shared
}: DesignDrawingContext & { parent: { columns: number[]; blocks: readonly (readonly ApiDesignBlock[])[] } }) {
  const { at, chosen: chosenPath } = shared
  return (
    <div className={styles['columns']}>
      {parent.columns.map((width, column) => {
        const blocks = parent.blocks[column] ?? []
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
          <div key={column} className={styles['column']} style={{ width: `${width}%` }}>
            {blocks.map((block, index) => {
              const path = `${at},${column},${index}`
              return (
                <CanvasBlock
                  key={designNodeKey(block)}
                  {...shared}
                  block={block}
                  at={path}
                  chosen={narrowChosenPath(chosenPath, path)}
                />
              )
            })}
            <ColumnDropZone at={`${at},${column},${blocks.length}`} isEmpty={blocks.length === 0} />
          </div>
        )
      })}
    </div>
  )
}

function ColumnDropZone({ at, isEmpty }: { at: string; isEmpty: boolean }) {
  const t = useTranslator(designTexts)
  const ref = useRef<HTMLDivElement>(null)
  const isOver = useEndDropTarget(ref, at)
  return (
    <div ref={ref} className={styles['end']} data-empty={isEmpty || undefined} data-over={isOver || undefined}>
      {isEmpty && t('dropHere')}
    </div>
  )
}
