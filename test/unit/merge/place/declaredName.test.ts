import assert from 'node:assert/strict';
import { declaredName } from '../../../../src/merge/place/declaredName';

describe('the name that a line declares', () => {
  const lines: Readonly<Record<string, string | undefined>> = {
    'export function open(file) {': 'open',
    'def self.load(path)': 'load',
    'function persist.run_file(name)': 'run_file',
    'function Cart:add(item)': 'add',
    'defmodule Plug.Session do': 'Session',
    'defp keep(conn) do': 'keep',
    'proc getName*(id: int): string =': 'getName',
    'subroutine solve(a, b)': 'solve',
    'end subroutine solve': undefined,
    'end function': undefined,
    'public String getName() {': 'getName',
    'if (isOpen()) {': undefined,
    "it('opens a file', () => {": 'opens a file',
    "it.only('opens a file', async () => {": 'opens a file',
    'test "opens a file" do': 'opens a file',
    "context 'when closed' do |file|": 'when closed',
    'test "opens" {': 'opens',
    'describe("a file")': undefined,
    "link('text', () => {": undefined,
    'resource "aws_vpc" "main" {': 'main',
    'variable "name" {': 'name',
    'src_local <- function(path) {': 'src_local',
    'let inline add a b =': 'add',
    'let ``GET "/" returns text`` () =': 'GET "/" returns text',
    'let total =': undefined,
    'let name: string =': undefined,
    'handle(Request, State) ->': 'handle',
    'items.map((item) ->': undefined,
    'render(<App />': undefined,
    '=head2 start': 'start',
    '=head1 NAME OF ALL': undefined,
    '=== open ===': undefined,
  };
  for (const [line, name] of Object.entries(lines)) {
    it(`is ${name ?? 'none'} in ${line}`, () => assert.equal(declaredName(line), name));
  }
});
