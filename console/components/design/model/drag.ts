import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect, useState } from 'react'
import { type DesignPath, parseDesignPath } from './model.ts'
import type { ApiBlockKind } from './shapes.ts'

/** What is dragged: a block of the palette, or what stands at a path. */
type Dragged = { kind: ApiBlockKind } | { from: DesignPath }

/** Where a line shows that something will go. */
export type DropEdge = 'top' | 'bottom' | null

/** A block of the palette that can be taken. */
export function usePaletteDrag(ref: RefObject<HTMLElement | null>, kind: ApiBlockKind): void {
  useEffect(() => draggable({ element: ref.current!, getInitialData: () => ({ kind }) }), [ref, kind])
}

const before = (path: DesignPath, edge: DropEdge): DesignPath =>
  edge === 'bottom' ? [...path.slice(0, -1), path.at(-1)! + 1] : path

interface Options {
  /** Where it stands, as a text: it stays the same when the path is made anew. */
  at: string
  /** What it is taken by; absent: anywhere. */
  handle?: RefObject<HTMLElement | null>
  isFixed?: boolean
}

/** A block or row that can be taken and dropped beside. */
export function useNodeDrag(ref: RefObject<HTMLElement | null>, { at, handle, isFixed = false }: Options): DropEdge {
  const [edge, setEdge] = useState<DropEdge>(null)
  useEffect(() => {
    const element = ref.current!
    const path = parseDesignPath(at)
    const isRow = path.length === 1
    // Rows go between rows, blocks and the palette's beside blocks.
    const takes = (data: Record<string, unknown>): boolean =>
      isRow === (((data['from'] as DesignPath)?.length ?? 3) === 1)
    return combine(
      draggable({
        element,
        ...(handle?.current && { dragHandle: handle.current }),
        canDrag: () => !isFixed,
        getInitialData: () => ({ from: path }),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.element !== element && takes(source.data),
        getData: ({ input }) => attachClosestEdge({ at }, { element, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self, location }) => {
          const isInner = location.current.dropTargets[0]?.element === element
          setEdge(isInner ? (extractClosestEdge(self.data) as DropEdge) : null)
        },
        onDragLeave: () => setEdge(null),
        onDrop: () => setEdge(null),
      }),
    )
  }, [ref, at, handle, isFixed])
  return edge
}

/** The end of a column, or of the design: something dropped there becomes the last. */
export function useEndDropTarget(ref: RefObject<HTMLElement | null>, at: string): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(
    () =>
      dropTargetForElements({
        element: ref.current!,
        canDrop: ({ source }) => parseDesignPath(at).length === 1 || (source.data['from'] as DesignPath)?.length !== 1,
        getData: () => ({ at }),
        onDrag: ({ location, self }) => setOver(location.current.dropTargets[0]?.element === self.element),
        onDragLeave: () => setOver(false),
        onDrop: () => setOver(false),
      }),
    [ref, at],
  )
  return isOver
}

/** Does what was dropped, within this element alone, and scrolls it while something is held at its edge. */
export function useDesignDrops(
  ref: RefObject<HTMLElement | null>,
  onDrop: (dragged: Dragged, to: DesignPath) => void,
): void {
  useEffect(() => {
    const root = ref.current!
    return combine(
      autoScrollForElements({ element: root.querySelector('[data-design-canvas]')! }),
      monitorForElements({
        canMonitor: ({ source }) => root.contains(source.element),
        onDrop: ({ source, location }) => {
          const target = location.current.dropTargets[0]
          if (!target) return
          onDrop(
            source.data as Dragged,
            before(parseDesignPath(String(target.data['at'])), extractClosestEdge(target.data) as DropEdge),
          )
        },
      }),
    )
  }, [ref, onDrop])
}
