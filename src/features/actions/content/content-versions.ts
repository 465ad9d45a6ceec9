import { toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { SentSource } from '../../../lib/sources.ts'
import { storeContentVersion } from '../../../sending/plan/content-version.ts'
import type { ContentReport } from '../../rendering/content.ts'
import type { StoredAction } from '../resource/action-repository.ts'
import { labelVersionFlaw, type VersionContentSnapshot } from './draft-content.ts'

/** A content of an action, compiled. */
export interface CompiledActionContent extends VersionContentSnapshot {
  report: ContentReport
}

/** Compiles contents of an action, one after the other. `analyse`: looks them over, too. */
export async function compileActionContents(
  { renders }: Pick<ServiceContext, 'renders'>,
  contents: readonly VersionContentSnapshot[],
  analyse = false,
): Promise<CompiledActionContent[]> {
  const compiled: CompiledActionContent[] = []
  for (const content of contents) {
    compiled.push({ ...content, report: await renders.compile({ ...toContentSource(content.draft.source), analyse }) })
  }
  return compiled
}

/** What is wrong with compiled contents, and what there is to say of them. */
export function collectContentFlaws(contents: readonly CompiledActionContent[]) {
  const of = (which: 'errors' | 'findings') =>
    contents.flatMap(({ id, draft, report }) =>
      [...draft[which], ...report[which]].map((flaw) => labelVersionFlaw(id, flaw)),
    )
  return { errors: of('errors'), findings: of('findings') }
}

/** The numbers of frozen contents: `version` is that of the action; `versions` those of an experiment, by their ids. */
export interface StoredContentVersions {
  version: number
  versions: Record<string, number> | null
}

/**
 * Keeps contents of an action as they stand. Of an experiment the first is kept twice: once for what waits until its decision,
 * so that it can be told from the share of the first.
 */
export async function storeContentVersions(
  tx: Db,
  { account, id, content: { design } }: Pick<StoredAction, 'account' | 'id' | 'content'>,
  contents: readonly CompiledActionContent[],
  { sourceKind, now }: Pick<SentSource, 'sourceKind'> & { now: Date },
): Promise<StoredContentVersions> {
  const owner = { account, sourceKind, source: id }
  const freeze = ({ id: version, draft, report }: CompiledActionContent) =>
    storeContentVersion(
      tx,
      owner,
      { source: draft.source, links: report.links, design: version === null ? design : undefined },
      now,
    )
  const [first] = contents
  if (!first) throw new Error(`action ${id} has no content`)
  const version = await freeze(first)
  if (first.id === null) return { version, versions: null }
  const versions: Record<string, number> = {}
  for (const content of contents) versions[content.id!] = await freeze(content)
  return { version, versions }
}
