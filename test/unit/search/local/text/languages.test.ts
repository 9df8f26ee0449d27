import assert from 'node:assert/strict';
import { declaredIn } from '../../../../../src/search/local/text/heads';
import { headsOf } from '../../../../../src/search/local/text/languages';

const declared = (line: string, path: string): string | undefined =>
  declaredIn(line, headsOf(path))?.names.join('.');

const isHolder = (line: string, path: string): boolean | undefined =>
  declaredIn(line, headsOf(path))?.isHolder;

/** By the file that they are in: lines, each with the name that it declares. */
const lines: Readonly<Record<string, readonly (readonly [string, string | undefined])[]>> = {
  'Queue.kt': [
    ['typealias Handler = (Job) -> Unit', 'Handler'],
    ['internal actual typealias Clock = java.time.Clock', 'Clock'],
    ['    private val limit = 3', 'limit'],
    ['    val limit: Int', 'limit'],
    ['    val rest = limit - 1', undefined],
    ['    override operator fun plus(other: Queue) = merge(other)', 'plus'],
    ['fun <T : Any> Queue.drain(all: List<T>) {', 'Queue.drain'],
    ['    @Test fun drains() {', 'drains'],
    ['annotation class Slow', 'Slow'],
  ],
  'Queue.swift': [
    ['    @objc fileprivate func close() {', 'close'],
    ['    associatedtype Job', 'Job'],
    ['public actor Worker {', 'Worker'],
    ['    public private(set) var value = 1', 'value'],
    ['        let rest = limit', undefined],
  ],
  'Queue.scala': [
    ['  private[shop] lazy val limit = 3', 'limit'],
    ['sealed abstract case class Job(name: String)', 'Job'],
    ['  implicit def asJob(text: String): Job = Job(text)', 'asJob'],
  ],
  'queue.dart': [
    ['base mixin Closing on Queue {', 'Closing'],
    ['  final Duration timeout;', 'timeout'],
  ],
  'Queue.sol': [
    ['abstract contract Queue is Ownable {', 'Queue'],
    ['    event Closed(uint256 indexed at);', 'Closed'],
    ['    modifier onlyOpen() {', 'onlyOpen'],
  ],
  'Queue.fs': [
    ['let rec drain (queue: Queue) =', 'drain'],
    ['    let inline push job queue =', 'push'],
    ['    let rest = limit - 1', undefined],
    ['    member this.Close() =', 'Close'],
    ['and Job =', 'Job'],
    ['    | Failed of string', 'Failed'],
    ['    | Failed reason -> raise reason', undefined],
  ],
  'queue.mli': [
    ['val close : t -> unit', 'close'],
    ["type 'a t = {", 't'],
    ['module type S = sig', 'S'],
    ['exception Closed', 'Closed'],
  ],
  'Queue.hs': [
    ['drainAll :: Queue -> IO ()', 'drainAll'],
    ['drainAll queue = mapM_ run queue', 'drainAll'],
    ['newtype Limit = Limit Int', 'Limit'],
    ['class (Show a) => Job a where', 'Job'],
    ['  | Failed Text', 'Failed'],
    ['  , jobName :: Text', 'jobName'],
    ['import Data.List', undefined],
    ['drainAll >>= close', undefined],
  ],
  'queue.erl': [
    ['close(Queue) ->', 'close'],
    ['-record(queue, {jobs = []}).', 'queue'],
    ['-spec close(queue()) -> ok.', 'close'],
    ['    close(Queue),', undefined],
  ],
  'queue.ex': [
    ['  defdelegate close(queue), to: Server', 'close'],
    ['  @callback close(queue :: t()) :: :ok', 'close'],
    ['  @type job :: term()', 'job'],
    ['  defguardp is_open(queue) when queue.open', 'is_open'],
  ],
  'queue.clj': [
    ['(defn- drain-all [queue]', 'drain-all'],
    ['(defmethod ^:private close :queue [one]', 'close'],
    ['(s/defn open :- Queue []', 'open'],
    ['  (drain-all queue)', undefined],
  ],
  'queue.rkt': [['(define (close queue)', 'close']],
  'queue.R': [
    ['drain_all <- function(queue) {', 'drain_all'],
    ['setGeneric("close", function(queue) standardGeneric("close"))', 'close'],
    ['  rest <- drain_all(queue)', undefined],
  ],
  'queue.sh': [
    ['drain-all() {', 'drain-all'],
    ['function close_queue {', 'close_queue'],
    ['readonly MAX_JOBS=3', 'MAX_JOBS'],
    ['drain-all "$1"', undefined],
  ],
  'Queue.ps1': [['function global:Close-Queue {', 'Close-Queue']],
  'Queue.pm': [
    ["has 'limit' => 3;", 'limit'],
    ['use constant MAX_JOBS => 3;', 'MAX_JOBS'],
  ],
  'queue.jl': [
    ['abstract type AbstractQueue end', 'AbstractQueue'],
    ['Base.close(queue::Queue) = stop(queue.loop)', 'close'],
    ['close(queue)', undefined],
  ],
  'Queue.m': [
    ['- (void)closeWithReason:(NSString *)reason {', 'closeWithReason'],
    ['@property (nonatomic, strong) NSURL *address;', 'address'],
    ['typedef NS_ENUM(NSInteger, QueueState) {', 'QueueState'],
    ['function rest = drain(queue)', 'drain'],
  ],
  'queue.scss': [
    ['$queue-width: 3px;', 'queue-width'],
    ['@mixin rounded($radius) {', 'rounded'],
    ['  --queue-color: red;', '--queue-color'],
  ],
  'main.tf': [
    ['variable "queue_name" {', 'queue_name'],
    ['resource "aws_sqs_queue" "jobs" {', 'jobs'],
  ],
  'queue.proto': [
    ['message Job {', 'Job'],
    ['  rpc Close(CloseRequest) returns (CloseResponse);', 'Close'],
  ],
  'schema.graphql': [['extend type Query {', 'Query']],
  'queue.sql': [
    ['CREATE TABLE IF NOT EXISTS shop.jobs (', 'jobs'],
    ['create or replace function close_queue()', 'close_queue'],
    ['{% macro drained(column) %}', 'drained'],
    ['select close_queue();', undefined],
  ],
  Makefile: [
    ['drain-all: build', 'drain-all'],
    ['MAX_JOBS ?= 3', 'MAX_JOBS'],
    ['\tdrain-all: now', undefined],
  ],
  'queue/CMakeLists.txt': [['add_library(queue STATIC queue.c)', 'queue']],
  'app.properties': [['queue.limit=3', 'queue.limit']],
  'queue.nim': [['proc drainAll*(queue: Queue) =', 'drainAll']],
  'Queue.vb': [['    Public Overridable Sub Close()', 'Close']],
  'queue.pas': [
    ['procedure TQueue.Close;', 'TQueue.Close'],
    ['  TQueue = class(TObject)', 'TQueue'],
  ],
  'queue.f90': [
    ['  pure subroutine drain(queue)', 'drain'],
    ['type, extends(base) :: queue', 'queue'],
  ],
  'queue.sv': [['module automatic_queue #(parameter N = 3) (', 'automatic_queue']],
  'queue.vhd': [['ENTITY queue IS', 'queue']],
  'queue.vim': [['function! s:DrainAll() abort', 'DrainAll']],
  'queue.odin': [['drain_all :: proc(queue: ^Queue) {', 'drain_all']],
  'queue.coffee': [['  drainAll: (queue) ->', 'drainAll']],
  'queue.tex': [['\\newcommand{\\queue}{Queue}', 'queue']],
};

describe('the name that a line declares in its language', () => {
  for (const [path, all] of Object.entries(lines))
    it(`is found in ${path}`, () => {
      for (const [line, name] of all) assert.equal(declared(line, path), name, line);
    });

  it('ends where its text does', () => {
    const line = '    @objc fileprivate func close(now: Bool) {';
    assert.equal(
      line.slice(0, headsOf('Queue.swift')?.nameIn(line)?.end),
      '    @objc fileprivate func close',
    );
  });

  it('holds others in a class, not in a function', () => {
    assert.equal(isHolder('public actor Worker {', 'a.swift'), true);
    assert.equal(isHolder('@interface Queue : NSObject', 'a.m'), true);
    assert.equal(isHolder('func close() {', 'a.swift'), false);
  });

  it('is that of most languages where a file tells nothing', () => {
    assert.equal(headsOf('src/queue'), undefined);
    assert.equal(headsOf('queue.txt'), undefined);
    assert.equal(declared('class Queue {', 'src/queue'), 'Queue');
  });
});
