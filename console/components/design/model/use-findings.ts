import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { ApiRefusal } from '../../../api/refusal.ts'
import { type Translator, useTranslator } from '../../../text/catalogue.ts'
import { isSameDocument } from '../../form/pointers.ts'
import type en from '../en.ts'
import { designTexts } from '../texts.ts'
import { renderedDesignQuery } from './rendered-design.ts'
import type { ApiDesign, DESIGN_COLOURS } from './shapes.ts'

const RENDER_DELAY_MS = 900

interface DesignFault {
  pointer: string
  detail: string
}

/** The path of the row or block that a pointer leads into; empty: the design as a whole. */
function parsePointerPath(pointer: string): string {
  const parts = /^(?:\/design)?\/rows\/(\d+)(?:\/blocks\/(\d+)\/(\d+))?(?:\/blocks\/(\d+)\/(\d+))?/.exec(pointer)
  return (
    parts
      ?.slice(1)
      .filter((part) => part !== undefined)
      .join(',') ?? ''
  )
}

/** Members of blocks whose warnings have words of the console's. */
const WARNING_KEYS = {
  alt: 'warnAlt',
  src: 'warnSrc',
  href: 'warnHref',
  unsubscribe: 'warnUnsubscribe',
  address: 'warnAddress',
  rows: 'warnFooter',
} as const satisfies Record<string, keyof typeof en>

/** A warning in the person's language; one that the console does not know stays as the service says it. */
function formatWarning({ pointer, detail }: DesignFault, t: Translator<typeof en>): string {
  const [measuredNumber = ''] = /\d+(\.\d+)?/.exec(detail) ?? []
  if (pointer === '') return t('warnSize', { size: measuredNumber })
  const colour = /^(?:\/design)?\/theme\/(?:colours|dark)\/(\w+)$/.exec(pointer)?.[1] as
    | (typeof DESIGN_COLOURS)[number]
    | undefined
  if (colour) return t('warnContrast', { colour: t(`colour_${colour}`), contrast: measuredNumber })
  const key = WARNING_KEYS[pointer.slice(pointer.lastIndexOf('/') + 1) as keyof typeof WARNING_KEYS]
  return key ? t(key) : detail
}

export interface DesignFindings {
  rendered: ReturnType<typeof useRenderedDesign>
  /** Warnings of each row and block, by path; those of the whole design have the empty path. */
  byPath: Readonly<Record<string, string>>
  lacksFooter: boolean
}

function useRenderedDesign(design: ApiDesign) {
  const [debouncedDesign] = useDebouncedValue(design, RENDER_DELAY_MS)
  return useQuery({ ...renderedDesignQuery(debouncedDesign), placeholderData: (before) => before })
}

/** The HTML of a design as the service makes it, and what it says about blocks, a moment after each change. */
export function useDesignFindings(design: ApiDesign): DesignFindings {
  const t = useTranslator(designTexts)
  const renderedQuery = useRenderedDesign(design)
  const { data: renderedDesign, error } = renderedQuery
  const warnings = renderedDesign?.warnings ?? NO_FAULTS
  const warningsByPath = useMemo(() => {
    if (error instanceof ApiRefusal) return groupFaultsByPath(error.errors)
    return groupFaultsByPath(
      warnings.map((warning) => ({ pointer: warning.pointer, detail: formatWarning(warning, t) })),
    )
  }, [warnings, error, t])
  return {
    rendered: renderedQuery,
    byPath: useStableRecord(warningsByPath),
    lacksFooter: warnings.some(({ pointer }) => pointer === '/rows'),
  }
}

const NO_FAULTS: readonly DesignFault[] = []

/** Groups the faults by the path of their row or block. */
function groupFaultsByPath(faults: readonly DesignFault[]): Record<string, string> {
  const faultsByPath: Record<string, string> = {}
  for (const { pointer, detail } of faults) {
    const path = parsePointerPath(pointer)
    const sentence = /[.!?]$/.test(detail) ? detail : `${detail}.`
    faultsByPath[path] = faultsByPath[path] ? `${faultsByPath[path]} ${sentence}` : sentence
  }
  return faultsByPath
}

/** The object of before where the new one says the same, so that blocks are not drawn again. */
function useStableRecord(nextRecord: Record<string, string>): Record<string, string> {
  const stableRecord = useRef(nextRecord)
  if (!isSameDocument(stableRecord.current, nextRecord)) stableRecord.current = nextRecord
  return stableRecord.current
}
