import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect, useState } from 'react'
import { type DesignPath, parseDesignPath } from './model.ts'
import type { ApiBlockKind } from './shapes.ts'

/** The dragged item: a block of the palette, or the node at a path. */
type DraggedNode = { kind: ApiBlockKind } | { from: DesignPath }

/** Edge at which the drop indicator is shown. */
export type DropEdge = 'top' | 'bottom' | null

/** A block of the palette that can be taken. */
export function usePaletteDrag(ref: RefObject<HTMLElement | null>, kind: ApiBlockKind): void {
  useEffect(() => draggable({ element: ref.current!, getInitialData: () => ({ kind }) }), [ref, kind])
}

const toDropPath = (path: DesignPath, edge: DropEdge): DesignPath =>
  edge === 'bottom' ? [...path.slice(0, -1), path.at(-1)! + 1] : path

interface NodeDragOptions {
  /** The path as a text: it remains equal when the path array is rebuilt. */
  at: string
  /** Drag handle; the whole element if absent. */
  handle?: RefObject<HTMLElement | null>
  isFixed?: boolean
}

/** Makes a block or a row draggable, and a drop target for its siblings. */
export function useNodeDrag(
  ref: RefObject<HTMLElement | null>,
  { at, handle, isFixed = false }: NodeDragOptions,
): DropEdge {
  const [edge, setEdge] = useState<DropEdge>(null)
  useEffect(() => {
    const element = ref.current!
    const path = parseDesignPath(at)
    const isRow = path.length === 1
    // Rows are dropped between rows; blocks, including those of the palette, next to blocks.
    const canAccept = (data: Record<string, unknown>): boolean =>
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
        canDrop: ({ source }) => source.element !== element && canAccept(source.data),
        getData: ({ input }) => attachClosestEdge({ at }, { element, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self, location }) => {
          const isInnermost = location.current.dropTargets[0]?.element === element
          setEdge(isInnermost ? (extractClosestEdge(self.data) as DropEdge) : null)
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
  onDrop: (dragged: DraggedNode, to: DesignPath) => void,
): void {
  useEffect(() => {
    const rootElement = ref.current!
    return combine(
      autoScrollForElements({ element: rootElement.querySelector('[data-design-canvas]')! }),
      monitorForElements({
        canMonitor: ({ source }) => rootElement.contains(source.element),
        onDrop: ({ source, location }) => {
          const dropTarget = location.current.dropTargets[0]
          if (!dropTarget) return
          onDrop(
            source.data as DraggedNode,
            toDropPath(parseDesignPath(String(dropTarget.data['at'])), extractClosestEdge(dropTarget.data) as DropEdge),
          )
        },
      }),
    )
  }, [ref, onDrop])
}
