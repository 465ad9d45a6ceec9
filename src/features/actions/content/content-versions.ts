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

/** Compiles the contents of an action, one after the other. `analyse` also analyses them. */
export async function compileActionContents(
  { renders }: Pick<ServiceContext, 'renders'>,
  contents: readonly VersionContentSnapshot[],
  analyse = false,
): Promise<CompiledActionContent[]> {
  const compiledContents: CompiledActionContent[] = []
  for (const content of contents) {
    compiledContents.push({
      ...content,
      report: await renders.compile({ ...toContentSource(content.draft.source), analyse }),
    })
  }
  return compiledContents
}

/** Errors and findings of compiled contents. */
export function collectContentFlaws(contents: readonly CompiledActionContent[]) {
  const collectFlaws = (flawKind: 'errors' | 'findings') =>
    contents.flatMap(({ id, draft, report }) =>
      [...draft[flawKind], ...report[flawKind]].map((flaw) => labelVersionFlaw(id, flaw)),
    )
  return { errors: collectFlaws('errors'), findings: collectFlaws('findings') }
}

/** The numbers of frozen contents: `version` is that of the action; `versions` those of an experiment, by their ids. */
export interface StoredContentVersions {
  version: number
  versions: Record<string, number> | null
}

/**
 * Stores the contents of an action as versions. The first content of an experiment is stored twice: the second copy serves messages that
 * wait for the decision, so that they stay distinct from the first share.
 */
export async function storeContentVersions(
  tx: Db,
  { account, id, content: { design } }: Pick<StoredAction, 'account' | 'id' | 'content'>,
  contents: readonly CompiledActionContent[],
  { sourceKind, now }: Pick<SentSource, 'sourceKind'> & { now: Date },
): Promise<StoredContentVersions> {
  const owner = { account, sourceKind, source: id }
  const storeVersion = ({ id: version, draft, report }: CompiledActionContent) =>
    storeContentVersion(
      tx,
      owner,
      { source: draft.source, links: report.links, design: version === null ? design : undefined },
      now,
    )
  const [firstContent] = contents
  if (!firstContent) throw new Error(`action ${id} has no content`)
  const version = await storeVersion(firstContent)
  if (firstContent.id === null) return { version, versions: null }
  const versions: Record<string, number> = {}
  for (const content of contents) versions[content.id!] = await storeVersion(content)
  return { version, versions }
}
