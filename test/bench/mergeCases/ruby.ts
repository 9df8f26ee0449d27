import {
  all,
  insertAfter,
  insertBefore,
  type MergeCase,
  moveBefore,
  remove,
  replace,
} from './mergeCase';

const text = `# frozen_string_literal: true

require 'json'
require 'net/http'

module Library
  class NotFound < StandardError; end

  class Book
    attr_reader :title, :author, :copies

    def initialize(title:, author:, copies: 1)
      @title = title
      @author = author
      @copies = copies
    end

    def available?
      @copies.positive?
    end

    def lend
      raise NotFound, title unless available?

      @copies -= 1
      self
    end

    def give_back
      @copies += 1
      self
    end

    def to_h
      { title: title, author: author, copies: copies }
    end
  end

  class Catalogue
    include Enumerable

    def initialize
      @books = {}
    end

    def add(book)
      @books[book.title] = book
      self
    end

    def find(title)
      @books.fetch(title) { raise NotFound, title }
    end

    def each(&block)
      @books.each_value(&block)
    end

    def import(url)
      body = Net::HTTP.get(URI(url))
      JSON.parse(body, symbolize_names: true).each do |entry|
        add(Book.new(**entry))
      end
    end

    def to_json(*args)
      map(&:to_h).to_json(*args)
    end
  end
end
`;

const each = '    def each(&block)\n      @books.each_value(&block)\n    end\n\n';

export const ruby: MergeCase = {
  path: 'lib/library.rb',
  text,
  edits: {
    'adds a method to the first class': insertBefore(
      '    def lend\n',
      '    def last_copy?\n      @copies == 1\n    end\n\n',
    ),
    'moves a method up': moveBefore(each, '    def add(book)\n'),
    'removes a method': remove('    def give_back\n      @copies += 1\n      self\n    end\n\n'),
    'skips entries without a title': replace(
      '        add(Book.new(**entry))\n',
      '        next unless entry[:title]\n\n        add(Book.new(**entry))\n',
    ),
    'adds a keyword in three places': all(
      replace(
        '    attr_reader :title, :author, :copies',
        '    attr_reader :title, :author, :copies, :isbn',
      ),
      replace(
        '    def initialize(title:, author:, copies: 1)',
        '    def initialize(title:, author:, copies: 1, isbn: nil)',
      ),
      insertAfter('      @copies = copies\n', '      @isbn = isbn\n'),
    ),
  },
};
