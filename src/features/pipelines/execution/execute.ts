import type { Db } from '../../../database/connection/connect.ts'
import type { AccessRight, AccountId, RequestUser } from '../../../lib/account.ts'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import { requireCapabilityRights } from '../../../scripting/capabilities.ts'
import { hasErrorFlaws } from '../../../scripting/flaws.ts'
import type { ImportedWebtasks } from '../../../scripting/imports.ts'
import type { CollectedScriptWrite, SandboxLogLine } from '../../../scripting/sandbox/types.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import type { ScriptContext } from '../../script-host/object-scripts.ts'
import { listScriptAuthors, requireScriptRunRights } from '../../script-host/run-refusals.ts'
import { loadImportedWebtasks } from '../../webtasks/stored.ts'
import { findCompilableFlaws } from '../checks/check.ts'
import type { CompilableExecution, CompilablePreviewResponse } from '../compilable-schemas.ts'
import { readCompilable } from '../compilables.ts'
import { type CompilableValue, listValueCapabilities, type PreviewOptions } from '../definition/definition.ts'
import type { CompilableKey } from '../stored.ts'
import { type ArgumentValues, parseArguments } from './arguments.ts'
import {
  type ExecutionBudget,
  PIPELINE_REQUEST_BUDGET,
  requireWithinBudget,
  toExecutionErrorUnlessBusy,
} from './results.ts'
import { type PipelineRunPlan, runPipeline } from './run.ts'
import { applyCompilableWrites, CompilableScriptFailure, runCompilableScript } from './scripts.ts'
import { renderCompilableTemplate } from './templates.ts'

/** An execution of what a compilable does. */
export interface ValueExecution {
  account: AccountId
  value: CompilableValue
  /** Read already. */
  arguments: ArgumentValues
  budget: ExecutionBudget
  /** Rows that are wanted at most. */
  limit?: number
  /** Nesting depth: the number of compilables that execute each other up to this one, starting at 1. */
  depth: number
  /** Nothing is written: ids that scripts get are only shown. */
  isShown: boolean
  seed?: string
  /** A script waits for it. */
  isNested?: boolean
  /** The webtasks that its script imports; loaded when absent. */
  imported?: ImportedWebtasks
}

/** Result of an execution. Writes of a script are not applied yet. */
export interface ValueExecutionResult {
  value: unknown
  plan: PipelineRunPlan
  writes: readonly CollectedScriptWrite[]
  logs: readonly SandboxLogLine[]
}

async function renderTemplate(
  db: Db,
  { account, value, arguments: argumentValues }: ValueExecution,
  now: number,
): Promise<unknown> {
  if (value.type !== 'template') return undefined
  const [{ culture }, shape] = [await readSendingSettings(db, account), await loadContactShape(db, account)]
  return renderCompilableTemplate(value, { arguments: argumentValues, culture, shape, now })
}

/** Executes a value. Throws 400 for arguments, 503 when there is no place, and ExecutionFailure. */
export async function executeCompilableValue(
  context: ScriptContext,
  valueExecution: ValueExecution,
): Promise<ValueExecutionResult> {
  const { db, clock } = context.host
  const {
    account,
    value,
    arguments: argumentValues,
    budget,
    limit,
    depth,
    isShown,
    seed,
    isNested = false,
    imported,
  } = valueExecution
  const [startedAtMs, now] = [performance.now(), clock.now()]
  if (value.type === 'pipeline') {
    const options = { budget, isNested, ...(limit !== undefined && { limit }) }
    const pipelineExecution = { account, pipeline: value, arguments: argumentValues, now }
    const { rows, plan } = await runPipeline({ db, sandbox: context.sandbox }, pipelineExecution, options)
    return { value: rows, plan, writes: [], logs: [] }
  }
  const executionResult =
    value.type === 'template'
      ? { value: await renderTemplate(db, valueExecution, now), writes: [], logs: [] }
      : await runCompilableScript(context, {
          account,
          value,
          arguments: argumentValues,
          depth,
          limitMs: budget.limitMs,
          now,
          isShown,
          isNested,
          ...(seed !== undefined && { seed }),
          ...(imported && { imported }),
        })
  const durationMs = Math.round(performance.now() - startedAtMs)
  return {
    ...executionResult,
    value: requireWithinBudget(executionResult.value, budget),
    plan: { sql: 0, memory: 0, rowsRead: 0, durationMs },
  }
}

/** An execution that a client asks for. */
export interface CompilableExecuteRequest {
  arguments: ArgumentValues
  by: { rights: readonly AccessRight[] | null; person: Pick<RequestUser, 'id'> | null }
}

/** Executes a compilable. Throws notFound, 400, 403 as requireScriptRunRights, 503, and conflict `compilable-flawed` with its flaws. */
export async function executeCompilable(
  context: ScriptContext,
  key: CompilableKey,
  { arguments: rawArguments, by }: CompilableExecuteRequest,
): Promise<CompilableExecution> {
  const { host, sandbox } = context
  const { account, id } = key
  const { value, state, writtenBy } = await readCompilable({ ...host, sandbox }, key)
  if (state === 'draft') {
    const flaws = await findCompilableFlaws({ db: host.db, sandbox }, account, value, id)
    throw conflictProblem('compilable-flawed', 'The compilable has flaws that prevent its execution.', { flaws })
  }
  const imported = value.type === 'script' ? await loadImportedWebtasks(host.db, account, value.scripting) : new Map()
  const authors = [...listScriptAuthors({ writtenBy }, imported), by.person?.id ?? null]
  await requireScriptRunRights(
    host.db,
    { account, capabilities: listValueCapabilities(value), makers: authors },
    by.rights ?? [],
  )
  const parsedArguments = parseArguments(value, rawArguments)
  try {
    const executionResult = await executeCompilableValue(context, {
      account,
      value,
      arguments: parsedArguments,
      budget: PIPELINE_REQUEST_BUDGET,
      depth: 1,
      isShown: false,
      imported,
    })
    await applyCompilableWrites(context, account, executionResult.writes)
    return { type: 'success', arguments: parsedArguments, value: executionResult.value }
  } catch (error) {
    return { type: 'error', arguments: parsedArguments, value: { ...toExecutionErrorUnlessBusy(error) } }
  }
}

/** A preview that a client asks for. */
export interface CompilablePreviewRequest extends PreviewOptions {
  value: CompilableValue
  /** Id of the stored compilable that is previewed. */
  id: string
  account: AccountId
  rights: readonly AccessRight[]
  /** Pointer prefix for the faults of arguments. */
  pointer: string
}

const EMPTY_PLAN: PipelineRunPlan = { sql: 0, memory: 0, rowsRead: 0, durationMs: 0 }

/** Tries what a compilable does: nothing is stored or written. Throws 400, 403 and 503. */
export async function previewCompilable(
  context: ScriptContext,
  previewRequest: CompilablePreviewRequest,
): Promise<CompilablePreviewResponse> {
  const { account, value, id, rights, limit, pointer } = previewRequest
  const flaws = await findCompilableFlaws({ db: context.host.db, sandbox: context.sandbox }, account, value, id)
  if (hasErrorFlaws(flaws)) return { type: 'error', flaws }
  requireCapabilityRights(listValueCapabilities(value), [], rights)
  const parsedArguments = parseArguments(value, previewRequest.arguments, pointer)
  const isScript = value.type === 'script'
  try {
    const executionResult = await executeCompilableValue(context, {
      account,
      value,
      arguments: parsedArguments,
      budget: PIPELINE_REQUEST_BUDGET,
      limit,
      depth: 1,
      isShown: true,
    })
    const writes = executionResult.writes.map(({ name, args }) => ({ call: name, arguments: args }))
    const logs = isScript ? { logs: [...executionResult.logs] } : {}
    return {
      type: 'success',
      arguments: parsedArguments,
      value: executionResult.value,
      writes,
      plan: executionResult.plan,
      ...logs,
    }
  } catch (error) {
    const logs = error instanceof CompilableScriptFailure ? { logs: [...error.logs] } : {}
    return {
      type: 'error',
      arguments: parsedArguments,
      value: { ...toExecutionErrorUnlessBusy(error) },
      plan: EMPTY_PLAN,
      ...logs,
    }
  }
}
