import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { ApiRefusal } from '../../../api/refusal.ts'
import { type Translator, useTranslator } from '../../../text/catalogue.ts'
import { isSameDocument } from '../../form/pointers.ts'
import type en from '../en.ts'
import { designTexts } from '../texts.ts'
import type { ApiDesign, DESIGN_COLOURS } from './shapes.ts'

const PAUSE_MS = 900

const numbers = new WeakMap<ApiDesign, number>()
let last = 0

/** What a design is told apart by: to write all of it as a key would take longer than to draw it. */
function numberOf(design: ApiDesign): number {
  const number = numbers.get(design) ?? ++last
  numbers.set(design, number)
  return number
}

interface Fault {
  pointer: string
  detail: string
}

/** The path of the row or block that a pointer leads into; empty: the design as a whole. */
function pathOf(pointer: string): string {
  const parts = /^(?:\/design)?\/rows\/(\d+)(?:\/blocks\/(\d+)\/(\d+))?(?:\/blocks\/(\d+)\/(\d+))?/.exec(pointer)
  return (
    parts
      ?.slice(1)
      .filter((part) => part !== undefined)
      .join(',') ?? ''
  )
}

/** Members of blocks whose warnings have words of the console's. */
const SAID = {
  ...{ alt: 'warnAlt', src: 'warnSrc', href: 'warnHref' },
  ...{ unsubscribe: 'warnUnsubscribe', address: 'warnAddress', rows: 'warnFooter' },
} as const satisfies Record<string, keyof typeof en>

/** A warning in the person's language; one that the console does not know stays as the service says it. */
function said({ pointer, detail }: Fault, t: Translator<typeof en>): string {
  const [number = ''] = /\d+(\.\d+)?/.exec(detail) ?? []
  if (pointer === '') return t('warnSize', { size: number })
  const colour = /^(?:\/design)?\/theme\/(?:colours|dark)\/(\w+)$/.exec(pointer)?.[1] as
    | (typeof DESIGN_COLOURS)[number]
    | undefined
  if (colour) return t('warnContrast', { colour: t(`colour_${colour}`), contrast: number })
  const key = SAID[pointer.slice(pointer.lastIndexOf('/') + 1) as keyof typeof SAID]
  return key ? t(key) : detail
}

export interface DesignFindings {
  rendered: ReturnType<typeof useRendered>
  /** What is said of each row and block, by its path; of the design as a whole, by the empty one. */
  byPath: Readonly<Record<string, string>>
  lacksFooter: boolean
}

function useRendered(design: ApiDesign) {
  const [settled] = useDebouncedValue(design, PAUSE_MS)
  return useQuery({
    queryKey: ['designs', 'rendered', numberOf(settled)],
    queryFn: ({ signal }) => readAnswer(apiClient.POST('/designs/render', { body: { design: settled }, signal })),
    placeholderData: (before) => before,
    gcTime: 10_000,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The HTML of a design as the service makes it, and what it says about blocks, a moment after each change. */
export function useDesignFindings(design: ApiDesign): DesignFindings {
  const t = useTranslator(designTexts)
  const rendered = useRendered(design)
  const { data: made, error } = rendered
  const warnings = made?.warnings ?? NONE
  const found = useMemo(() => {
    if (error instanceof ApiRefusal) return byPathOf(error.errors)
    return byPathOf(warnings.map((one) => ({ pointer: one.pointer, detail: said(one, t) })))
  }, [warnings, error, t])
  return { rendered, byPath: useSame(found), lacksFooter: warnings.some(({ pointer }) => pointer === '/rows') }
}

const NONE: readonly Fault[] = []

/** What is said of each row and block, by its path. */
function byPathOf(faults: readonly Fault[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { pointer, detail } of faults) {
    const path = pathOf(pointer)
    found[path] = found[path] ? `${found[path]}; ${detail}` : detail
  }
  return found
}

/** The object of before where the new one says the same, so that blocks are not drawn again. */
function useSame(found: Record<string, string>): Record<string, string> {
  const kept = useRef(found)
  if (!isSameDocument(kept.current, found)) kept.current = found
  return kept.current
}
