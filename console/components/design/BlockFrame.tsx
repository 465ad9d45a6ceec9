import { IconAlertTriangle } from '@tabler/icons-react'
import { memo, useEffect, useRef } from 'react'
import { useText } from '../../text/catalogue.ts'
import { BlockPicture } from './BlockPicture.tsx'
import styles from './Design.module.css'
import type { Act } from './model/desk.ts'
import { useEnd, useMovable } from './model/drag.ts'
import { keyOf, pathOf } from './model/model.ts'
import type { Block, Theme } from './model/shapes.ts'
import { blockWords } from './model/words.ts'
import { RichEditor } from './RichEditor.tsx'
import { designTexts } from './texts.ts'

/** What a row or a block is drawn with. */
export interface Drawn {
  /** Its path as a text. */
  at: string
  theme: Theme
  /** The path of what is chosen where it is this one or one within, else empty. */
  chosen: string
  isEditing: boolean
  isReadOnly: boolean
  warnings: Readonly<Record<string, string>>
  act(act: Act): void
}

interface Props extends Drawn {
  block: Block
}

/** What concerns a path or one below it. */
export const within = (chosen: string, at: string): string =>
  chosen === at || chosen.startsWith(`${at},`) ? chosen : ''

/** Gives what is chosen the focus, unless something of it has it or it is written in; also once it is not written in any more. */
export function useChosenFocus(isChosen: boolean, isWritten = false) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isElsewhere = document.activeElement?.closest('[data-design-settings], [data-design-palette]')
    if (isChosen && !isWritten && !isElsewhere && !ref.current?.contains(document.activeElement))
      ref.current?.focus({ preventScroll: false })
  }, [isChosen, isWritten])
  return ref
}

/** A block on the canvas: chosen by a click, edited by another or by Enter, moved by hand. */
export const BlockFrame = memo(function BlockFrame(props: Props) {
  const { block, at, theme, chosen, isEditing, isReadOnly, warnings, act } = props
  const t = useText(designTexts)
  const isChosen = chosen === at
  const isWritten = isChosen && isEditing && block.type === 'text'
  const ref = useChosenFocus(isChosen, isWritten)
  const edge = useMovable(ref, { at, isFixed: isWritten || isReadOnly })
  const warning = warnings[at]
  return (
    <div
      ref={ref}
      className={styles['block']}
      data-block={at}
      data-chosen={isChosen || undefined}
      data-edge={edge ?? undefined}
      role="group"
      aria-roledescription={t('block')}
      aria-label={[`${t(block.type)}: ${blockWords(block)}`, warning].filter(Boolean).join('. ')}
      tabIndex={isChosen ? 0 : -1}
      onClick={(event) => {
        event.stopPropagation()
        if (!isWritten) act({ do: 'choose', path: pathOf(at), isEditing: isChosen || event.detail > 1 })
      }}
    >
      {block.type === 'columns' ? (
        <ColumnsView {...props} parent={block} />
      ) : (
        <BlockPicture
          block={block}
          theme={theme}
          {...(isWritten &&
            !isReadOnly && {
              editor: (
                <RichEditor
                  text={block.text}
                  label={t('text')}
                  onChange={(value) => act({ do: 'set', path: pathOf(at), member: 'text', value, at: Date.now() })}
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
export function ColumnsView({
  parent,
  ...shared
}: Drawn & { parent: { columns: number[]; blocks: readonly (readonly Block[])[] } }) {
  const { at, chosen } = shared
  return (
    <div className={styles['columns']}>
      {parent.columns.map((width, column) => {
        const blocks = parent.blocks[column] ?? []
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
          <div key={column} className={styles['column']} style={{ width: `${width}%` }}>
            {blocks.map((block, index) => {
              const path = `${at},${column},${index}`
              return <BlockFrame key={keyOf(block)} {...shared} block={block} at={path} chosen={within(chosen, path)} />
            })}
            <ColumnEnd at={`${at},${column},${blocks.length}`} isEmpty={blocks.length === 0} />
          </div>
        )
      })}
    </div>
  )
}

function ColumnEnd({ at, isEmpty }: { at: string; isEmpty: boolean }) {
  const t = useText(designTexts)
  const ref = useRef<HTMLDivElement>(null)
  const isOver = useEnd(ref, at)
  return (
    <div ref={ref} className={styles['end']} data-empty={isEmpty || undefined} data-over={isOver || undefined}>
      {isEmpty && t('dropHere')}
    </div>
  )
}
